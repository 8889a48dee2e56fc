"""Compiled rigid motions, covariances, normal equations and planes for inner loops.

``geometry`` does the same for stacks, in NumPy; these take one of a kind, write into arrays they are given
and allocate nothing, so that a loop over millions can call them. A rigid motion is the upper (3, 4) or all
(4, 4) of a matrix ``T_a_b``, a twist (6,) its translation and then its rotation.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.compiled import compiled

SURFACE_GATE = 0.3
"""Neighboring pixels whose inverse depth differs by a larger share see different surfaces."""


@compiled
def transformed(T: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the coordinates of a point moved by T: ``p_a`` for T_a_b and ``p_b``."""
    return (
        T[0, 0] * x + T[0, 1] * y + T[0, 2] * z + T[0, 3],
        T[1, 0] * x + T[1, 1] * y + T[1, 2] * z + T[1, 3],
        T[2, 0] * x + T[2, 1] * y + T[2, 2] * z + T[2, 3],
    )


@compiled
def rotated_back(T: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a direction in a, given in its own axes b: Rᵀ v for T_a_b."""
    return (
        T[0, 0] * x + T[1, 0] * y + T[2, 0] * z,
        T[0, 1] * x + T[1, 1] * y + T[2, 1] * z,
        T[0, 2] * x + T[1, 2] * y + T[2, 2] * z,
    )


@compiled
def multiply(A: Floats, B: Floats, out: Floats) -> None:
    """Write A B; ``out`` is neither of them."""
    for r in range(3):
        for c in range(4):
            out[r, c] = A[r, 0] * B[0, c] + A[r, 1] * B[1, c] + A[r, 2] * B[2, c]
        out[r, 3] += A[r, 3]


@compiled
def invert(T: Floats, out: Floats) -> None:
    """Write T_b_a of T_a_b, exactly rigid: Rᵀ and −Rᵀt."""
    for r in range(3):
        out[r, 3] = -(T[0, r] * T[0, 3] + T[1, r] * T[1, 3] + T[2, r] * T[2, 3])
        for c in range(3):
            out[r, c] = T[c, r]


@compiled
def between(T_w_a: Floats, T_w_b: Floats, out: Floats) -> None:
    """Write T_a_b of two poses; positions are subtracted first, which keeps digits far from the origin."""
    for r in range(3):
        for c in range(4):
            total = 0.0
            for k in range(3):
                total += T_w_a[k, r] * (T_w_b[k, c] - (T_w_a[k, 3] if c == 3 else 0.0))
            out[r, c] = total


@compiled
def log_twist(T: Floats, xi: Floats) -> None:
    """Write the twist (6,) of a motion that turns by less than π; at π itself the axis is lost."""
    wx, wy, wz = T[2, 1] - T[1, 2], T[0, 2] - T[2, 0], T[1, 0] - T[0, 1]
    sine = np.sqrt(wx * wx + wy * wy + wz * wz) / 2
    angle = np.arctan2(sine, (T[0, 0] + T[1, 1] + T[2, 2] - 1) / 2)
    scale = 0.5 * angle / sine if sine > 1e-9 else 0.5
    wx, wy, wz = wx * scale, wy * scale, wz * scale
    a2 = angle * angle
    k = (1 - 0.5 * angle / np.tan(0.5 * angle)) / a2 if a2 > 1e-6 else 1 / 12
    x, y, z = T[0, 3], T[1, 3], T[2, 3]
    dot = wx * x + wy * y + wz * z
    # V⁻¹ t = t − ½ w × t + k w × (w × t)
    xi[0] = x - 0.5 * (wy * z - wz * y) + k * (wx * dot - a2 * x)
    xi[1] = y - 0.5 * (wz * x - wx * z) + k * (wy * dot - a2 * y)
    xi[2] = z - 0.5 * (wx * y - wy * x) + k * (wz * dot - a2 * z)
    xi[3], xi[4], xi[5] = wx, wy, wz


@compiled
def adjoint_of_inverse(T: Floats, axes: Ints, out: Floats) -> None:
    """Write the chosen rows and columns of Ad of T⁻¹: Rᵀ twice on the diagonal, −Rᵀ [t]× off it."""
    for p in range(len(axes)):
        u, x = axes[p] // 3, axes[p] % 3
        for q in range(len(axes)):
            v, z = axes[q] // 3, axes[q] % 3
            if u == v:
                out[p, q] = T[z, x]
            elif u < v:
                # column z of [t]× is t × e_z: t[z + 2] at z + 1 and −t[z + 1] at z + 2, cyclically
                one, two = (z + 1) % 3, (z + 2) % 3
                out[p, q] = -(T[one, x] * T[two, 3] - T[two, x] * T[one, 3])
            else:
                out[p, q] = 0.0


@compiled
def add_carried(A: Floats, C: Floats, half: Floats, out: Floats) -> None:
    """Add A C Aᵀ, a covariance C carried by a linear map; ``half`` (n, n) is scratch."""
    d = len(A)
    for p in range(d):
        for q in range(d):
            half[p, q] = 0.0
        for r in range(d):
            a = A[p, r]
            if a != 0.0:
                for q in range(d):
                    half[p, q] += a * C[r, q]
    for p in range(d):
        for q in range(p + 1):
            total = 0.0
            for r in range(d):
                total += half[p, r] * A[q, r]
            out[p, q] += total
            if p != q:
                out[q, p] += total


@compiled
def cholesky(C: Floats) -> float:
    """Turn a covariance into its lower factor, the upper half left as it is; return its log determinant."""
    det = 1.0
    for p in range(len(C)):
        for q in range(p + 1):
            total = C[p, q]
            for r in range(q):
                total -= C[p, r] * C[q, r]
            if p == q:
                det *= total
                C[p, p] = np.sqrt(total)
            else:
                C[p, q] = total / C[q, q]
    return float(np.log(det))


@compiled
def mahalanobis2(factor: Floats, y: Floats) -> float:
    """Return the squared length of a vector by the lower factor of its covariance; the vector is used up."""
    total = 0.0
    for p in range(len(y)):
        for q in range(p):
            y[p] -= factor[p, q] * y[q]
        y[p] /= factor[p, p]
        total += y[p] * y[p]
    return total


@compiled
def add_residual(J: Floats, r: float, weight: float, H: Floats, g: Floats) -> None:
    """Add a residual whose derivative by a twist is J (6,) to normal equations H (6, 6) and g (6,)."""
    for a in range(6):
        g[a] += weight * J[a] * r
        for b in range(6):
            H[a, b] += weight * J[a] * J[b]


@compiled(inline=True)  # with its step a constant and what is not asked for left out
def plane_around(
    inverse_m: Floats32, i: int, j: int, step: int, least: int
) -> tuple[int, float, float, float, float]:
    """Fit a plane to the inverse depth within two pixels of one that has depth, every ``step``-th of them.

    A plane n · P = 1 is linear in inverse depth, 1/z = n_x x + n_y y + n_z with x, y the normalized pixel,
    and the noise of depth cameras is even there. Returns how many pixels of one surface there are, 0 where
    they are fewer than ``least`` or too much on a line; what to add to the pixel's own inverse depth; its
    growth by column and by row; and the sum of squared residuals.
    """
    h, w = inverse_m.shape
    n = 0
    su = sv = suu = suv = svv = sd = sud = svd = sdd = 0.0
    d0 = inverse_m[i, j]
    for a in range(max(i % step, i - 2), min(h, i + 3), step):
        for b in range(max(j % step, j - 2), min(w, j + 3), step):
            d = inverse_m[a, b] - d0
            if inverse_m[a, b] > 0 and abs(d) < SURFACE_GATE * d0:
                u, v = float(b - j), float(a - i)
                n += 1
                su += u
                sv += v
                suu += u * u
                suv += u * v
                svv += v * v
                sd += d
                sud += u * d
                svd += v * d
                sdd += d * d
    if n < least:
        return 0, 0.0, 0.0, 0.0, 0.0
    cuu, cuv, cvv = suu - su * su / n, suv - su * sv / n, svv - sv * sv / n
    cud, cvd, cdd = sud - su * sd / n, svd - sv * sd / n, sdd - sd * sd / n
    det = cuu * cvv - cuv * cuv
    if det <= 1e-3 * max(cuu, cvv) ** 2:
        return 0, 0.0, 0.0, 0.0, 0.0
    gu, gv = (cvv * cud - cuv * cvd) / det, (cuu * cvd - cuv * cud) / det
    return n, (sd - gu * su - gv * sv) / n, gu, gv, cdd - gu * cud - gv * cvd
