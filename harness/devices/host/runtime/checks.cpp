// Lanes that the compiled code is not sure of: may they be performed?
#include "context.h"

void report(Context *context, int64_t site, What what, int64_t offset, int64_t other) {
  for (int64_t at = 0; at < context->fault_count; at++) {
    Fault &known = context->faults[at];
    if (known.site == site && known.what == what) {
      known.count++;
      return;
    }
  }
  if (context->fault_count < context->fault_capacity)
    context->faults[context->fault_count++] = Fault{site, what, context->program, other, offset, 1};
}

// Turns of loops that are left to a launch once it has gone astray: what it read there may be how often it is to turn.
static const int64_t FUEL_ASTRAY = 1 << 16;

// The span that holds some bytes: of one region, or of any where it is negative.
static const Span *holder(const Context *context, int64_t address, int64_t size, int64_t region) {
  for (int64_t at = 0; at < context->span_count; at++) {
    const Span &span = context->spans[at];
    if ((region < 0 || span.region == region) && address >= span.low && address + size <= span.high) return &span;
  }
  return nullptr;
}

extern "C" {

// Look at one lane: 1 where it is to be performed now, 0 where it is not, or was.
// how: 0 load, 1 store, 2 atomic, 3 volatile load, and four times the order of an atomic.
int32_t rt_lane(Context *context, int64_t site, int64_t root, int64_t at, int64_t size, int32_t how, int32_t live) {
  if (!live) return 0;
  const Span *own = root < 0 ? nullptr : &context->spans[root];
  int64_t address = own ? own->base + at : at;
  bool inside = own && at >= 0 && address + size <= own->high;
  const Span *span = inside ? own : holder(context, address, size, own ? own->region : -1);
  if (!span) {
    if (context->whole && own && own->region >= 0) {
      Region &region = context->regions[own->region];
      if (address >= region.low && address + size <= region.high) {
        report(context, site, BEYOND, at, -1);
        if (context->tracked) track(context, region, site, address, at, size, how);
        return 1;
      }
    }
    report(context, site, OUTSIDE, at, -1);
    if (context->fuel > FUEL_ASTRAY) context->fuel = FUEL_ASTRAY;
    return 0;
  }
  if (context->tracked && span->region >= 0)
    track(context, context->regions[span->region], site, address, own ? at : address, size, how);
  return !inside;
}

void rt_note(Context *context, int64_t site, int64_t offset) { report(context, site, ASSERTION, offset, -1); }
}
