# <sb_build_info.h>: what provenance says about the build. Looked up again at every build, rewritten only when it
# changed.
set(SB_GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)
string(TOUPPER "${CMAKE_BUILD_TYPE}" SB_TYPE_UPPER)
get_directory_property(SB_OPTIONS COMPILE_OPTIONS)
string(JOIN " " SB_ALL_FLAGS ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${SB_TYPE_UPPER}} ${SB_OPTIONS})
add_custom_target(sb_build_info
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR} -DOUTPUT=${SB_GENERATED_DIR}/sb_build_info.h
    -DVERSION=${PROJECT_VERSION} "-DCOMPILER=${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
    "-DFLAGS=${SB_ALL_FLAGS}" -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/write_build_info.cmake
  BYPRODUCTS ${SB_GENERATED_DIR}/sb_build_info.h VERBATIM)
