"""Scripts of others that asv's page needs, as the npm registry has them, all under the MIT licence.

- `bootstrap.min.css`, `bootstrap.min.js`: bootstrap 3.1.1, Copyright 2011-2014 Twitter, Inc.
- `jquery.min.js`: jquery 3.3.1, (c) JS Foundation and other contributors
- `jquery.flot.js`, `jquery.flot.categories.js`, `jquery.flot.selection.js`, `jquery.flot.time.js`: flot 0.8.3,
  Copyright (c) 2007-2014 IOLA and Ole Laursen
- `jquery.flot.orderBars.js`: flot-orderbars 1.0.0, by Benjamin Buffet and Steven Hall
- `md5.min.js`: blueimp-md5 2.19.0, Copyright 2011 Sebastian Tschan
- `stupidtable.min.js`: stupid-table-plugin 1.1.3, Copyright (c) 2012 Joseph McCullough

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
