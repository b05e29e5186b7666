/* The tables of digits in quadruple precision: constants of methods and iterations have all digits. */
#include "tests/digits/test_digits.c"
