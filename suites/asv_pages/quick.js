// What shows when the pointer comes is made when it first comes: a list of thousands of rows has a graph in each.
$(document).ready(function() {
    function when_it_comes(elements, make) {
        elements.each(function() {
            var element = $(this);
            this.addEventListener('mouseenter', function() {
                make(element);
                element.trigger('mouseenter');
            }, {once: true});
        });
    }
    ['hover_graph', 'hover_summary_graph'].forEach(function(name) {
        var make = $.asv.ui[name];
        $.asv.ui[name] = function(element) {
            var given = arguments;
            when_it_comes(element, function() { make.apply($.asv.ui, given); });
        };
    });
    var tooltip = $.fn.tooltip;
    $.fn.tooltip = function(options) {
        if (options !== undefined) {
            return tooltip.apply(this, arguments);
        }
        when_it_comes(this, function(element) { tooltip.call(element); });
        return this;
    };
});
