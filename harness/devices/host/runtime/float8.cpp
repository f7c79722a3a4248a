// Floats of eight bits, by tables that are made once.
#include <cmath>
#include <cstdint>
#include <cstring>

struct Float8 {
  float value[256];
  uint8_t nan;
  int last;  // the largest finite number's bits
  int after; // bits of infinity; 0 where there is none
  bool one_zero;
};

enum Kind { FN, IEEE, FNUZ };

static Float8 make(int exponent_bits, int bias, Kind kind) {
  Float8 f;
  int fraction_bits = 7 - exponent_bits, mask = (1 << fraction_bits) - 1;
  f.nan = kind == FNUZ ? 0x80 : 0x7F;
  f.last = kind == FN ? 126 : kind == IEEE ? 123 : 127;
  f.after = kind == IEEE ? 124 : 0;
  f.one_zero = kind == FNUZ;
  for (int bits = 0; bits < 128; bits++) {
    int exponent = bits >> fraction_bits, fraction = bits & mask;
    float part = fraction / (float)(1 << fraction_bits);
    float value = exponent ? std::ldexp(1.0f + part, exponent - bias) : std::ldexp(part, 1 - bias);
    if (kind == IEEE && bits > 123) value = fraction ? NAN : INFINITY;
    if (kind == FN && bits == 127) value = NAN;
    f.value[bits] = value;
    f.value[bits + 128] = -value;
  }
  if (f.one_zero) f.value[128] = NAN;
  return f;
}

static const Float8 E4M3FN = make(4, 7, FN), E5M2 = make(5, 15, IEEE), E4M3FNUZ = make(4, 8, FNUZ), E5M2FNUZ = make(5, 16, FNUZ);

// To the nearest, ties to even; what is too large becomes the largest, as PTX's satfinite does.
static uint8_t encode(const Float8 &f, float x) {
  if (std::isnan(x)) return f.nan;
  float size = std::fabs(x);
  int sign = std::signbit(x) ? 0x80 : 0, low = 0, high = f.last;
  if (size >= f.value[f.last]) return (uint8_t)(sign | f.last);
  while (high - low > 1) {
    int middle = (low + high) / 2;
    (f.value[middle] <= size ? low : high) = middle;
  }
  float below = size - f.value[low], above = f.value[high] - size;
  int bits = below < above ? low : above < below ? high : (low & 1 ? high : low);
  if (!bits && f.one_zero) sign = 0;
  return (uint8_t)(sign | bits);
}

// A value that is one of its own already: infinity too.
static uint8_t exactly(const Float8 &f, float x) {
  if (f.after && std::isinf(x)) return (uint8_t)((std::signbit(x) ? 0x80 : 0) | f.after);
  return encode(f, x);
}

#define FLOAT8(NAME, TABLE)                                              \
  float rt_decode_##NAME(uint8_t bits) { return TABLE.value[bits]; }     \
  uint8_t rt_encode_##NAME(float x) { return exactly(TABLE, x); }        \
  float rt_round_##NAME(float x) { return TABLE.value[encode(TABLE, x)]; }

extern "C" {
FLOAT8(f8E4M3FN, E4M3FN)
FLOAT8(f8E5M2, E5M2)
FLOAT8(f8E4M3FNUZ, E4M3FNUZ)
FLOAT8(f8E5M2FNUZ, E5M2FNUZ)

// One of the two elements of four bits in a byte.
float rt_decode_e2m1(uint8_t both, int64_t which) {
  static const float VALUES[8] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
  int bits = both >> (which ? 4 : 0) & 15;
  return bits & 8 ? -VALUES[bits & 7] : VALUES[bits];
}
// A power of two.
float rt_decode_e8m0(uint8_t bits) { return bits == 255 ? NAN : std::ldexp(1.0f, bits - 127); }

// Towards zero.
float rt_truncate_f16(float x) {
  if (!std::isfinite(x)) return x;
  float size = std::fabs(x), found;
  if (size >= 65504.0f) found = 65504.0f;
  else if (size < 6.103515625e-05f) found = std::trunc(size * 16777216.0f) / 16777216.0f;
  else {
    uint32_t bits;
    memcpy(&bits, &size, 4);
    bits &= 0xFFFFE000u;
    memcpy(&found, &bits, 4);
  }
  return std::copysign(found, x);
}
}
