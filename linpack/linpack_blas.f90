! SPDX-License-Identifier: BSD-3-Clause
!> linpack_blas: interfaces of the BLAS routines that LINPACK calls, so that the compiler checks
!> their arguments, and of the update's product (linpack_subtract.c).
module linpack_blas
    use, intrinsic :: iso_c_binding, only: c_double, c_float, c_int, c_ptr
    use, intrinsic :: iso_fortran_env, only: real32, real64
    implicit none
    private

    public :: isamax, idamax, sscal, dscal, saxpy, daxpy, sdot, ddot
    public :: sgemv, dgemv, strsv, dtrsv, sgemm, dgemm, strsm, dtrsm
    public :: linpack_single_subtract, linpack_double_subtract

    interface
        pure function isamax(n, x, incx) result(index)
            import :: real32
            integer, intent(in) :: n, incx
            real(real32), intent(in) :: x(*)
            integer :: index
        end function isamax

        pure subroutine sscal(n, alpha, x, incx)
            import :: real32
            integer, intent(in) :: n, incx
            real(real32), intent(in) :: alpha
            real(real32), intent(inout) :: x(*)
        end subroutine sscal

        pure subroutine saxpy(n, alpha, x, incx, y, incy)
            import :: real32
            integer, intent(in) :: n, incx, incy
            real(real32), intent(in) :: alpha, x(*)
            real(real32), intent(inout) :: y(*)
        end subroutine saxpy

        pure function sdot(n, x, incx, y, incy) result(dot)
            import :: real32
            integer, intent(in) :: n, incx, incy
            real(real32), intent(in) :: x(*), y(*)
            real(real32) :: dot
        end function sdot

        pure subroutine sgemv(trans, m, n, alpha, a, lda, x, incx, beta, y, incy)
            import :: real32
            character, intent(in) :: trans
            integer, intent(in) :: m, n, lda, incx, incy
            real(real32), intent(in) :: alpha, beta, a(lda, *), x(*)
            real(real32), intent(inout) :: y(*)
        end subroutine sgemv

        pure subroutine strsv(uplo, trans, diag, n, a, lda, x, incx)
            import :: real32
            character, intent(in) :: uplo, trans, diag
            integer, intent(in) :: n, lda, incx
            real(real32), intent(in) :: a(lda, *)
            real(real32), intent(inout) :: x(*)
        end subroutine strsv

        pure subroutine sgemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
            import :: real32
            character, intent(in) :: transa, transb
            integer, intent(in) :: m, n, k, lda, ldb, ldc
            real(real32), intent(in) :: alpha, beta, a(lda, *), b(ldb, *)
            real(real32), intent(inout) :: c(ldc, *)
        end subroutine sgemm

        pure subroutine strsm(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
            import :: real32
            character, intent(in) :: side, uplo, transa, diag
            integer, intent(in) :: m, n, lda, ldb
            real(real32), intent(in) :: alpha, a(lda, *)
            real(real32), intent(inout) :: b(ldb, *)
        end subroutine strsm

        pure function idamax(n, x, incx) result(index)
            import :: real64
            integer, intent(in) :: n, incx
            real(real64), intent(in) :: x(*)
            integer :: index
        end function idamax

        pure subroutine dscal(n, alpha, x, incx)
            import :: real64
            integer, intent(in) :: n, incx
            real(real64), intent(in) :: alpha
            real(real64), intent(inout) :: x(*)
        end subroutine dscal

        pure subroutine daxpy(n, alpha, x, incx, y, incy)
            import :: real64
            integer, intent(in) :: n, incx, incy
            real(real64), intent(in) :: alpha, x(*)
            real(real64), intent(inout) :: y(*)
        end subroutine daxpy

        pure function ddot(n, x, incx, y, incy) result(dot)
            import :: real64
            integer, intent(in) :: n, incx, incy
            real(real64), intent(in) :: x(*), y(*)
            real(real64) :: dot
        end function ddot

        pure subroutine dgemv(trans, m, n, alpha, a, lda, x, incx, beta, y, incy)
            import :: real64
            character, intent(in) :: trans
            integer, intent(in) :: m, n, lda, incx, incy
            real(real64), intent(in) :: alpha, beta, a(lda, *), x(*)
            real(real64), intent(inout) :: y(*)
        end subroutine dgemv

        pure subroutine dtrsv(uplo, trans, diag, n, a, lda, x, incx)
            import :: real64
            character, intent(in) :: uplo, trans, diag
            integer, intent(in) :: n, lda, incx
            real(real64), intent(in) :: a(lda, *)
            real(real64), intent(inout) :: x(*)
        end subroutine dtrsv

        pure subroutine dgemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
            import :: real64
            character, intent(in) :: transa, transb
            integer, intent(in) :: m, n, k, lda, ldb, ldc
            real(real64), intent(in) :: alpha, beta, a(lda, *), b(ldb, *)
            real(real64), intent(inout) :: c(ldc, *)
        end subroutine dgemm

        pure subroutine dtrsm(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
            import :: real64
            character, intent(in) :: side, uplo, transa, diag
            integer, intent(in) :: m, n, lda, ldb
            real(real64), intent(in) :: alpha, a(lda, *)
            real(real64), intent(inout) :: b(ldb, *)
        end subroutine dtrsm

        subroutine linpack_single_subtract(low, m, n, k, a, lda, b, ldb, c, ldc) bind(c)
            import :: c_float, c_int, c_ptr
            type(c_ptr), value :: low
            integer(c_int), value :: m, n, k, lda, ldb, ldc
            real(c_float), intent(in) :: a(lda, *), b(ldb, *)
            real(c_float), intent(inout) :: c(ldc, *)
        end subroutine linpack_single_subtract

        subroutine linpack_double_subtract(low, m, n, k, a, lda, b, ldb, c, ldc) bind(c)
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: low
            integer(c_int), value :: m, n, k, lda, ldb, ldc
            real(c_double), intent(in) :: a(lda, *), b(ldb, *)
            real(c_double), intent(inout) :: c(ldc, *)
        end subroutine linpack_double_subtract
    end interface
end module linpack_blas
