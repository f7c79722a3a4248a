// Run the programs of a launch: one after the other, or several at a time that take turns where they touch memory.
#include "context.h"
#include <cstdlib>
#include <memory>
#include <ucontext.h>
#include <vector>

typedef void (*Entry)(Context *, int64_t *, void *, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
static const size_t STACK = 256 << 10, ALIGNMENT = 64;

struct Launch {
  Context *context;
  Entry entry;
  int64_t *slots;
  int64_t arena;
  const int32_t *grid;
};

struct Free {
  void operator()(void *memory) const { free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

static Memory aligned(int64_t size) {
  return Memory(aligned_alloc(ALIGNMENT, (size / (int64_t)ALIGNMENT + 1) * (int64_t)ALIGNMENT));
}

static void run(const Launch &launch, int64_t program, void *arena) {
  const int32_t *grid = launch.grid;
  int64_t x = program % grid[0], y = program / grid[0] % grid[1], z = program / grid[0] / grid[1];
  launch.context->program = program;
  launch.entry(launch.context, launch.slots, arena, (int32_t)x, (int32_t)y, (int32_t)z, grid[0], grid[1], grid[2]);
}

struct Resident {
  ucontext_t state;
  Memory stack, arena;
  int64_t program;
  bool done;
};

struct Scheduler {
  const Launch &launch;
  const int32_t *order;
  int64_t count, next = 0;
  uint64_t seed;
  std::vector<std::unique_ptr<Resident>> residents;
  size_t current = 0;
  ucontext_t home;

  uint64_t draw() { // splitmix64 (Steele, Lea and Flood, OOPSLA 2014)
    uint64_t z = seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  void work() { // of one resident: programs until there are none
    Resident &me = *residents[current];
    while (next < count) {
      int64_t at = next++;
      me.program = order ? order[at] : at;
      run(launch, me.program, me.arena.get());
    }
    me.done = true;
    turn();
  }

  void turn() { // let another go on
    std::vector<size_t> able;
    for (size_t at = 0; at < residents.size(); at++)
      if (!residents[at]->done) able.push_back(at);
    Resident &me = *residents[current];
    if (able.empty()) {
      swapcontext(&me.state, &home);
      return;
    }
    size_t chosen = able[draw() % able.size()];
    if (chosen == current) return;
    current = chosen;
    launch.context->program = residents[chosen]->program;
    swapcontext(&me.state, &residents[chosen]->state);
  }
};

static void begin(unsigned low, unsigned high) {
  ((Scheduler *)((uint64_t)high << 32 | low))->work();
}

extern "C" {

void rt_point(Context *context) {
  if (context->scheduler) context->scheduler->turn();
}

// Run all programs: in the order given, or in theirs; with several residents these take turns, drawn from the seed.
void rt_launch(Context *context, Entry entry, int64_t *slots, int64_t arena, const int32_t *grid, const int32_t *order,
               int64_t residents, uint64_t seed) {
  Launch launch{context, entry, slots, arena, grid};
  int64_t count = (int64_t)grid[0] * grid[1] * grid[2];
  if (residents <= 1 || count <= 1) {
    Memory memory = aligned(arena);
    for (int64_t at = 0; at < count; at++) run(launch, order ? order[at] : at, memory.get());
    return;
  }
  Scheduler scheduler{launch, order, count, 0, seed, {}, 0, {}};
  for (int64_t at = 0; at < residents && at < count; at++) {
    auto one = std::make_unique<Resident>();
    one->stack = Memory(malloc(STACK));
    one->arena = aligned(arena);
    one->program = 0;
    one->done = false;
    getcontext(&one->state);
    one->state.uc_stack.ss_sp = one->stack.get();
    one->state.uc_stack.ss_size = STACK;
    one->state.uc_link = nullptr;
    uint64_t self = (uint64_t)&scheduler;
    makecontext(&one->state, (void (*)())begin, 2, (unsigned)self, (unsigned)(self >> 32));
    scheduler.residents.push_back(std::move(one));
  }
  context->scheduler = &scheduler;
  swapcontext(&scheduler.home, &scheduler.residents[0]->state);
  context->scheduler = nullptr;
}
}
