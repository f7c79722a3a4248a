// What was read before it was written, and what two programs touched with nothing that orders them.
//
// Races by FastTrack (Flanagan and Freund, PLDI 2009): an element knows who wrote it last and who read it last, each
// with that program's epoch; a program's clock says which epochs of others come before its own, by the releases that it
// has acquired.
#include "context.h"
#include <unordered_map>
#include <vector>

struct Cell {
  int32_t writer, written_at; // program + 1, negative of an atomic; its epoch
  int32_t reader, read_at;    // program + 1, SEVERAL; its epoch, of several the first's program + 1
  int32_t second;             // of several readers another one's program + 1
};
static const int32_t SEVERAL = -1;
static const int64_t PAGE = 4096;

struct Cells {
  std::unordered_map<int64_t, std::vector<Cell>> pages;
  Cell &at(int64_t index) {
    std::vector<Cell> &page = pages[index / PAGE];
    if (page.empty()) page.resize(PAGE);
    return page[index % PAGE];
  }
};

using Clock = std::unordered_map<int64_t, int32_t>; // program: the last of its epochs that comes before

static void join(Clock &into, const Clock &from) {
  for (const auto &[program, epoch] : from) {
    int32_t &known = into[program];
    if (known < epoch) known = epoch;
  }
}

struct Clocks {
  std::unordered_map<int64_t, Clock> programs, addresses;
  std::unordered_map<int64_t, int32_t> epochs;
  int32_t epoch(int64_t program) {
    int32_t &found = epochs[program];
    if (!found) found = 1;
    return found;
  }
  // Whether a program has acquired nothing: then no other's past comes before what it does.
  bool alone(int64_t program) { return programs.find(program) == programs.end(); }
  bool before(int64_t other, int32_t epoch, int64_t program) {
    auto found = programs.find(program);
    if (found == programs.end()) return false;
    auto known = found->second.find(other);
    return known != found->second.end() && epoch <= known->second;
  }
};

enum How { LOAD = 0, STORE = 1, ATOMIC = 2, VOLATILE = 3 };
enum Order { RELAXED = 1, ACQUIRE = 2, RELEASE = 3, ACQUIRE_RELEASE = 4 };

static void synchronise(Clocks &clocks, int64_t program, int64_t address, int32_t order) {
  if (order == ACQUIRE || order == ACQUIRE_RELEASE) {
    auto found = clocks.addresses.find(address);
    if (found != clocks.addresses.end()) join(clocks.programs[program], found->second);
  }
  if (order == RELEASE || order == ACQUIRE_RELEASE) {
    Clock &into = clocks.addresses[address];
    join(into, clocks.programs[program]);
    into[program] = clocks.epoch(program);
    clocks.epochs[program]++;
  }
}

// The other program where there is a race, else -1.
static int64_t race(Clocks &clocks, Cell &cell, int64_t program, int kind) {
  int32_t me = (int32_t)program + 1, epoch = clocks.epoch(program);
  if (kind == VOLATILE) return -1; // it says by itself that another program writes there
  int64_t found = -1;
  int32_t writer = cell.writer < 0 ? -cell.writer : cell.writer;
  if (writer && writer != me && !(kind == ATOMIC && cell.writer < 0) && !clocks.before(writer - 1, cell.written_at, program))
    found = writer - 1;
  if (kind == LOAD) {
    if (!cell.reader || cell.reader == me || (cell.reader > 0 && clocks.before(cell.reader - 1, cell.read_at, program))) {
      cell.reader = me;
      cell.read_at = epoch;
    } else if (cell.reader != SEVERAL) {
      cell.read_at = cell.reader;
      cell.second = me;
      cell.reader = SEVERAL;
    }
    return found;
  }
  if (cell.reader > 0 && cell.reader != me && !clocks.before(cell.reader - 1, cell.read_at, program))
    found = cell.reader - 1;
  if (cell.reader == SEVERAL && clocks.alone(program)) found = (cell.read_at == me ? cell.second : cell.read_at) - 1;
  cell.writer = kind == ATOMIC ? -me : me;
  cell.written_at = epoch;
  return found;
}

void track(Context *context, Region &region, int64_t site, int64_t address, int64_t offset, int64_t size, int32_t how) {
  int kind = how & 3, order = how >> 2;
  if (region.initialised) {
    int64_t first = address - region.low;
    bool none = true;
    for (int64_t at = first; at < first + size; at++) {
      uint8_t untouched = (uint8_t)(region.pattern >> 8 * (at % region.period));
      none &= !region.initialised[at] && *(uint8_t *)(region.low + at) == untouched;
      if (kind == STORE || kind == ATOMIC) region.initialised[at] = 1;
    }
    if (none && kind != STORE) report(context, site, UNINITIALISED, offset, -1);
  }
  if (!region.cells) return;
  int64_t first = (address - region.low) / region.granule, last = (address - region.low + size - 1) / region.granule;
  for (int64_t at = first; at <= last; at++) {
    int64_t other = race(*context->clocks, region.cells->at(at), context->program, kind);
    if (other >= 0) report(context, site, RACE, offset, other);
  }
  if (kind == ATOMIC) synchronise(*context->clocks, context->program, address, order);
}

// Give every region its cells, and take them away again.
extern "C" void rt_begin_tracking(Context *context) {
  context->clocks = new Clocks;
  for (int64_t at = 0; at < context->region_count; at++) context->regions[at].cells = new Cells;
}

extern "C" void rt_end_tracking(Context *context) {
  for (int64_t at = 0; at < context->region_count; at++) {
    delete context->regions[at].cells;
    context->regions[at].cells = nullptr;
  }
  delete context->clocks;
  context->clocks = nullptr;
}
