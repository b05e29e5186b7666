# stepbench_quad and stepbench_single: the core, the steppers and the problems from the same sources in binary128, with
# SB_QUAD, and in float, with SB_SINGLE, and the programs that run them.
include(CheckCCompilerFlag)
pkg_check_modules(FILES REQUIRED IMPORTED_TARGET jansson libmd)

set(SB_PRECISION_FOLDERS core/base core/output core/linear core/lcp core/mechanics core/run core/dense integrators problems)
set(SB_PRECISION_SOURCES "")
foreach(folder IN LISTS SB_PRECISION_FOLDERS)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.c)
  list(APPEND SB_PRECISION_SOURCES ${found})
endforeach()
# What describes the libraries of the double build, and what GSL computes.
list(FILTER SB_PRECISION_SOURCES EXCLUDE REGEX "/(core/(base/blas|output/provenance)|integrators/odeiv2)\\.c$")
# The main program is that of stepbench; precision/ holds its commands, precision/quad/ those of binary128 alone.
file(GLOB SB_PRECISION_PROGRAM CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/precision/*.c)
list(APPEND SB_PRECISION_PROGRAM bench/main.c bench/cli/program.c bench/cli/cli.c bench/cli/args.c bench/cli/options.c
     bench/cli/label.c bench/cli/help.c bench/cli/overwrite.c)
file(GLOB SB_QUAD_COMMANDS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/precision/quad/*.c)
list(APPEND SB_QUAD_COMMANDS bench/cli/commands/quad.c)
set(SB_PRECISIONS "")
# Under the sanitizers the sources that the double build has, too, are compiled with AddressSanitizer alone in the other
# precisions: the lengths of arrays depend on the precision, what UndefinedBehaviorSanitizer looks for does not. It takes
# half of the time. Their numbers are computed in libgcc: -O0 costs little.
if(SB_SANITIZE)
  file(GLOB_RECURSE own ${PROJECT_SOURCE_DIR}/core/dense/*.c ${PROJECT_SOURCE_DIR}/precision/*.c)
  set_source_files_properties(${own} PROPERTIES COMPILE_OPTIONS -fsanitize=undefined)
endif()

function(sb_precision name definition) # further arguments: options of the compiler
  set(core stepbench_${name}_core)
  add_library(${core} STATIC ${SB_PRECISION_SOURCES})
  # core/dense holds the header <lapacke.h> of these precisions.
  target_include_directories(${core} BEFORE PUBLIC
    ${PROJECT_SOURCE_DIR}/core/dense ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include ${SB_GENERATED_DIR})
  target_compile_definitions(${core} PUBLIC ${definition})
  # Numbers change their type where they are printed and in estimates of cost.
  target_compile_options(${core} PUBLIC $<IF:$<BOOL:${SB_SANITIZE}>,-fno-sanitize=undefined$<SEMICOLON>-O0,-O2> -Wno-float-conversion
    $<$<C_COMPILER_ID:Clang>:-Wno-implicit-float-conversion> ${ARGN})
  if(SB_COVERAGE) # of the build in double alone
    target_sources(${core} PRIVATE ${PROJECT_SOURCE_DIR}/tools/coverage_exit.c)
    target_compile_options(${core} PUBLIC -fno-profile-arcs -fno-test-coverage)
  endif()
  target_link_libraries(${core} PUBLIC PkgConfig::FILES m ${CMAKE_DL_LIBS})
  add_dependencies(${core} sb_build_info)
  add_executable(stepbench_${name} ${SB_PRECISION_PROGRAM})
  # Plug-ins resolve the core's functions in the executable, as in stepbench.
  target_link_libraries(stepbench_${name} PRIVATE -Wl,--whole-archive ${core} -Wl,--no-whole-archive)
  set_target_properties(stepbench_${name} PROPERTIES ENABLE_EXPORTS ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  set(SB_PRECISIONS ${SB_PRECISIONS} ${name} PARENT_SCOPE)
endfunction()

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
check_c_compiler_flag(-fsingle-precision-constant SB_HAVE_SINGLE)

if(SB_HAVE_QUAD)
  sb_precision(quad SB_QUAD)
  target_sources(stepbench_quad PRIVATE ${SB_QUAD_COMMANDS})
else()
  message(STATUS "No binary128 here: stepbench_quad is left out")
endif()
# A product with a literal is computed in double without that option. The sanitizers see the same sources in the two
# other precisions.
if(SB_HAVE_SINGLE AND NOT SB_SANITIZE)
  sb_precision(single SB_SINGLE -fsingle-precision-constant -Wno-conversion -Wno-absolute-value)
elseif(NOT SB_SANITIZE)
  message(STATUS "No -fsingle-precision-constant here: stepbench_single is left out")
endif()
