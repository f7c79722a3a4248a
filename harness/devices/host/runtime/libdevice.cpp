// Functions of libdevice that libm has not.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

// The number whose error function it is: by Newton's method from Winitzki's approximation (2008).
static double inverse_erf(double y) {
  if (!(std::fabs(y) < 1)) return std::fabs(y) == 1 ? std::copysign(std::numeric_limits<double>::infinity(), y) : NAN;
  double l = std::log((1 - y) * (1 + y)), z = l / 2 + 2 / (M_PI * 0.147);
  double x = std::copysign(std::sqrt(std::sqrt(z * z - l / 0.147) - z), y);
  for (int turn = 0; turn < 4; turn++) {
    double off = std::fabs(y) > 0.5 ? -(std::erfc(std::fabs(x)) - (1 - std::fabs(y))) * (x < 0 ? -1 : 1) : std::erf(x) - y;
    x -= off / (2 / std::sqrt(M_PI) * std::exp(-x * x));
  }
  return x;
}
static double inverse_erfc(double y) {
  if (!(y >= 0 && y <= 2)) return NAN;
  if (y == 0 || y == 2) return y == 0 ? INFINITY : -INFINITY;
  if (y >= 0.5) return inverse_erf(1 - y);
  double t = std::sqrt(-2 * std::log(y / 2));
  double x = (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481))) * M_SQRT1_2;
  for (int turn = 0; turn < 5; turn++) x += (std::erfc(x) - y) / (2 / std::sqrt(M_PI) * std::exp(-x * x));
  return x;
}
static double scaled_erfc(double x) {
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  double s = 1 / (2 * x * x);
  return 1 / (x * std::sqrt(M_PI)) * (1 - s * (1 - 3 * s * (1 - 5 * s)));
}
static double sine_of_pi(double x) {
  if (!std::isfinite(x)) return NAN;
  double r = std::remainder(x, 2.0);
  if (std::fabs(r) > 0.5) return std::copysign(std::sin(M_PI * (1 - std::fabs(r))), r);
  return std::sin(M_PI * r);
}
static double cosine_of_pi(double x) {
  if (!std::isfinite(x)) return NAN;
  double r = std::fabs(std::remainder(x, 2.0));
  return r < 0.25 ? std::cos(M_PI * r) : r > 0.75 ? -std::cos(M_PI * (1 - r)) : std::sin(M_PI * (0.5 - r));
}

// The same of double and, by it, of float.
#define ONE(NAME, EXPRESSION)                                   \
  double rt_##NAME(double x) { return EXPRESSION; }             \
  float rt_##NAME##f(float narrow) { double x = narrow; return (float)(EXPRESSION); }
#define BITS(NAME, FROM, TO) \
  TO NAME(FROM x) { TO found; memcpy(&found, &x, sizeof found); return found; }

template <typename T> static int whole(T x) {
  if (std::isnan(x)) return 0;
  if (x >= (T)2147483648.0) return std::numeric_limits<int>::max();
  return x <= (T)-2147483648.0 ? std::numeric_limits<int>::min() : (int)x;
}

extern "C" {
ONE(rsqrt, 1 / std::sqrt(x))
ONE(rcbrt, 1 / std::cbrt(x))
ONE(normcdf, std::erfc(-x * M_SQRT1_2) / 2)
ONE(normcdfinv, -M_SQRT2 * inverse_erfc(2 * x))
ONE(erfinv, inverse_erf(x))
ONE(erfcinv, inverse_erfc(x))
ONE(erfcx, scaled_erfc(x))
ONE(sinpi, sine_of_pi(x))
ONE(cospi, cosine_of_pi(x))
double rt_rhypot(double x, double y) { return 1 / std::hypot(x, y); }
float rt_rhypotf(float x, float y) { return (float)(1 / std::hypot((double)x, (double)y)); }
double rt_powi(double x, int n) { return std::pow(x, n); }
float rt_powif(float x, int n) { return (float)std::pow((double)x, n); }
double rt_add(double x, double y) { return x + y; }
float rt_addf(float x, float y) { return x + y; }
double rt_mul(double x, double y) { return x * y; }
float rt_mulf(float x, float y) { return x * y; }
double rt_div(double x, double y) { return x / y; }
float rt_divf(float x, float y) { return x / y; }
float rt_saturatef(float x) { return std::isnan(x) ? 0.0f : std::min(std::max(x, 0.0f), 1.0f); }
int rt_isinf(double x) { return std::isinf(x); }
int rt_isinff(float x) { return std::isinf(x); }
int rt_isnan(double x) { return std::isnan(x); }
int rt_isnanf(float x) { return std::isnan(x); }
int rt_isfinite(double x) { return std::isfinite(x); }
int rt_isfinitef(float x) { return std::isfinite(x); }
int rt_signbit(double x) { return std::signbit(x); }
int rt_signbitf(float x) { return std::signbit(x); }
int rt_abs(int x) { return x < 0 ? (int)(0u - (unsigned)x) : x; }
int64_t rt_llabs(int64_t x) { return x < 0 ? (int64_t)(0u - (uint64_t)x) : x; }
int rt_clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
int rt_clzll(int64_t x) { return x ? __builtin_clzll((uint64_t)x) : 64; }
int rt_popc(int x) { return __builtin_popcount((unsigned)x); }
int rt_popcll(int64_t x) { return __builtin_popcountll((uint64_t)x); }
int rt_ffs(int x) { return __builtin_ffs(x); }
int rt_ffsll(int64_t x) { return __builtin_ffsll(x); }
int rt_brev(int x) {
  uint32_t from = (uint32_t)x, into = 0;
  for (int bit = 0; bit < 32; bit++) into |= (from >> bit & 1) << (31 - bit);
  return (int)into;
}
int rt_byte_perm(int x, int y, int which) {
  uint64_t both = (uint64_t)(uint32_t)y << 32 | (uint32_t)x;
  uint32_t into = 0;
  for (int at = 0; at < 4; at++) into |= (uint32_t)(both >> 8 * (which >> 4 * at & 7) & 0xFF) << 8 * at;
  return (int)into;
}
int rt_mulhi(int x, int y) { return (int)((int64_t)x * y >> 32); }
int rt_umulhi(int x, int y) { return (int)((uint64_t)(uint32_t)x * (uint32_t)y >> 32); }
int rt_mul24(int x, int y) { return (int)((int64_t)(x << 8 >> 8) * (y << 8 >> 8)); }
int rt_hadd(int x, int y) { return (int)(((int64_t)x + y) >> 1); }
int rt_sad(int x, int y, int z) { return (int)((uint32_t)(x > y ? (int64_t)x - y : (int64_t)y - x) + (uint32_t)z); }
int rt_float2int_rd(float x) { return whole(std::floor(x)); }
int rt_float2int_ru(float x) { return whole(std::ceil(x)); }
int rt_float2int_rn(float x) { return whole(std::nearbyint(x)); }
int rt_float2int_rz(float x) { return whole(std::trunc(x)); }
int rt_double2int_rn(double x) { return whole(std::nearbyint(x)); }
int rt_double2int_rz(double x) { return whole(std::trunc(x)); }
BITS(rt_float_as_int, float, int)
BITS(rt_int_as_float, int, float)
BITS(rt_double_as_longlong, double, int64_t)
BITS(rt_longlong_as_double, int64_t, double)
}
