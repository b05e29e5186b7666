# Builds the plug-in @NAME@. Without CMake:
# cc -std=gnu11 -O3 -ffp-contract=off -shared -fPIC -DSB_PLUGIN -I. $(pkg-config --cflags stepbench) @NAME@.c -o
# @NAME@.so
cmake_minimum_required(VERSION 3.21)
project(@NAME@ LANGUAGES C)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(stepbench 0.1 REQUIRED HINTS "@PROGRAM_DIR@" "@PROGRAM_DIR@/..")
add_library(@NAME@ MODULE @NAME@.c)
set_target_properties(@NAME@ PROPERTIES C_STANDARD 11 PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_include_directories(@NAME@ PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(@NAME@ PRIVATE stepbench::plugin)
