// Products of matrices: each element is a sum in order, in the accumulator's type.
#include "context.h"
#include <cstring>
#include <vector>

template <typename T, typename A> static void tile(const T *a, int64_t am, int64_t ak, const T *b, int64_t bk, A *c, int64_t n, int64_t inner, int rows, int columns) {
  A sums[4][16];
  for (int r = 0; r < rows; r++)
    for (int j = 0; j < columns; j++) sums[r][j] = c[r * n + j];
  for (int64_t k = 0; k < inner; k++) {
    const T *row = b + k * bk;
    for (int r = 0; r < rows; r++) {
      A x = (A)a[r * am + k * ak];
      for (int j = 0; j < columns; j++) sums[r][j] += x * (A)row[j];
    }
  }
  for (int r = 0; r < rows; r++)
    for (int j = 0; j < columns; j++) c[r * n + j] = sums[r][j];
}

template <typename T, typename A> static void multiply(const T *a, int64_t am, int64_t ak, const T *b, int64_t bk, int64_t bn, A *c, int64_t m, int64_t n, int64_t inner) {
  std::vector<T> packed;
  if (bn != 1) {
    packed.resize(inner * n);
    for (int64_t k = 0; k < inner; k++)
      for (int64_t j = 0; j < n; j++) packed[k * n + j] = b[k * bk + j * bn];
    b = packed.data();
    bk = n;
  }
  for (int64_t i = 0; i < m; i += 4)
    for (int64_t j = 0; j < n; j += 16) {
      int rows = m - i < 4 ? (int)(m - i) : 4, columns = n - j < 16 ? (int)(n - j) : 16;
      if (rows == 4 && columns == 16)
        tile(a + i * am, am, ak, b + j, bk, c + i * n + j, n, inner, 4, 16);
      else
        tile(a + i * am, am, ak, b + j, bk, c + i * n + j, n, inner, rows, columns);
    }
}

// TF32 has ten bits of fraction; tensor cores leave the others out.
static std::vector<float> cut(const float *from, int64_t outer, int64_t inner, int64_t m, int64_t k) {
  std::vector<float> into(m * k);
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < k; j++) {
      uint32_t bits;
      memcpy(&bits, from + i * outer + j * inner, 4);
      bits &= 0xFFFFE000u;
      memcpy(&into[i * k + j], &bits, 4);
    }
  return into;
}

#define DOT(NAME, T, A)                                                                                                \
  void NAME(Context *context, const T *a, int64_t am, int64_t ak, const T *b, int64_t bk, int64_t bn, A *c, int64_t m, \
            int64_t n, int64_t k, int32_t) {                                                                           \
    context->products += m * n * k;                                                                                    \
    multiply<T, A>(a, am, ak, b, bk, bn, c, m, n, k);                                                                  \
  }

extern "C" {
DOT(rt_dot_f64, double, double)
DOT(rt_dot_i8, int8_t, int32_t)
void rt_dot_f32(Context *context, const float *a, int64_t am, int64_t ak, const float *b, int64_t bk, int64_t bn, float *c, int64_t m, int64_t n,
                int64_t k, int32_t tf32) {
  context->products += m * n * k;
  if (!tf32) return multiply<float, float>(a, am, ak, b, bk, bn, c, m, n, k);
  std::vector<float> left = cut(a, am, ak, m, k), right = cut(b, bk, bn, k, n);
  multiply<float, float>(left.data(), k, 1, right.data(), n, 1, c, m, n, k);
}
}
