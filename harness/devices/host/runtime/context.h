// What a launch is told, and what it tells. Python's `context.py` has the same structures.
#pragma once
#include <cstdint>

enum What : int64_t { OUTSIDE = 0, UNINITIALISED = 1, RACE = 2, ASSERTION = 3, BEYOND = 4 };

struct Fault {
  int64_t site, what, program, other, offset, count;
};

// An argument's memory: its first byte and the one after its last, and in which region it lies.
struct Span {
  int64_t low, high, region;
  int64_t base;  // where the argument points: the lowest, but for what lies the other way round
};

// One storage: every view of it lies within.
struct Region {
  int64_t low, high;
  int64_t granule;       // bytes that are tracked together
  uint8_t *initialised;  // one a byte: whether a kernel wrote it; null: all is
  uint64_t pattern;      // what a byte that nothing wrote still has,
  int64_t period;        // again and again after so many bytes
  struct Cells *cells;   // null: races are not looked for
};

struct Context {
  int64_t tracked;  // whether every lane is told
  int64_t fuel;     // turns of loops that are left, of all programs together
  int64_t program;  // the one that runs
  int64_t products; // multiply-adds of matrix products so far
  uint8_t *marks;   // one each: whether it was reached
  int64_t fault_count, fault_capacity;
  Fault *faults;
  int64_t span_count;
  Span *spans;
  int64_t region_count;
  Region *regions;
  struct Clocks *clocks;       // null: nothing orders programs
  struct Scheduler *scheduler; // null: programs run one after the other
  int64_t whole;               // whether what is beyond a view and within its storage is reached
  double unread;               // what a lane holds that was not read
};

void report(Context *context, int64_t site, What what, int64_t offset, int64_t other);
void track(Context *context, Region &region, int64_t site, int64_t address, int64_t offset, int64_t size, int32_t how);
