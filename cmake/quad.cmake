# stepbench_quad: the core, the steppers and the problems from the same sources with SB_QUAD, in binary128, and the
# program that runs them. Left out where the compiler or libc have no such type.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_DEFINITIONS -DSB_QUAD)
set(CMAKE_REQUIRED_INCLUDES ${PROJECT_SOURCE_DIR}/include)
set(CMAKE_REQUIRED_LIBRARIES m)
check_c_source_compiles("
  #include <stepbench/scalar.h>
  int main(void) { char text[SB_SCALAR_TEXT]; sb_print_scalar(text, 33, sin(SB_PI)); return text[0] == 0; }"
  SB_HAVE_QUAD)
unset(CMAKE_REQUIRED_DEFINITIONS)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT SB_HAVE_QUAD)
  message(STATUS "No binary128 here: stepbench_quad is left out")
  return()
endif()

set(SB_QUAD_FOLDERS core/base core/output core/linear core/lcp core/mechanics core/run core/quad integrators problems)
set(sources "")
foreach(folder IN LISTS SB_QUAD_FOLDERS)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.c)
  list(APPEND sources ${found})
endforeach()
# What describes the libraries of the double build, and what GSL computes.
list(FILTER sources EXCLUDE REGEX "/(core/(base/blas|output/provenance)|integrators/odeiv2)\\.c$")
add_library(stepbench_quad_core STATIC ${sources})
# core/quad holds the header <lapacke.h> of this precision.
target_include_directories(stepbench_quad_core BEFORE PUBLIC
  ${PROJECT_SOURCE_DIR}/core/quad ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include ${SB_GENERATED_DIR})
target_compile_definitions(stepbench_quad_core PUBLIC SB_QUAD)
# Every operation calls a function: -O2 takes the time of -O3. A binary128 may become a double where it is printed.
target_compile_options(stepbench_quad_core PUBLIC -O2 -Wno-float-conversion
  $<$<C_COMPILER_ID:Clang>:-Wno-implicit-float-conversion>)
if(SB_COVERAGE) # of the build in double alone
  target_sources(stepbench_quad_core PRIVATE ${PROJECT_SOURCE_DIR}/tools/coverage_exit.c)
  target_compile_options(stepbench_quad_core PUBLIC -fno-profile-arcs -fno-test-coverage)
endif()
pkg_check_modules(FILES REQUIRED IMPORTED_TARGET jansson libmd)
target_link_libraries(stepbench_quad_core PUBLIC PkgConfig::FILES m ${CMAKE_DL_LIBS})
add_dependencies(stepbench_quad_core sb_build_info)

# The main program is that of stepbench; quad/ holds its commands.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/quad/*.c)
add_executable(stepbench_quad bench/main.c bench/cli/program.c bench/cli/cli.c bench/cli/args.c bench/cli/options.c bench/cli/label.c
               bench/cli/help.c bench/cli/commands/quad.c ${sources})
# Plug-ins resolve the core's functions in the executable, as in stepbench.
target_link_libraries(stepbench_quad PRIVATE -Wl,--whole-archive stepbench_quad_core -Wl,--no-whole-archive)
set_target_properties(stepbench_quad PROPERTIES ENABLE_EXPORTS ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
