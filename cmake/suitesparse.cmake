# SuiteSparse::SuiteSparse: the libraries of Debian's libsuitesparse-dev, which brings no .pc file. Read by the build
# and by the installed package.
find_path(SUITESPARSE_INCLUDE_DIR suitesparse/umfpack.h)
mark_as_advanced(SUITESPARSE_INCLUDE_DIR)
set(SuiteSparse_FOUND ${SUITESPARSE_INCLUDE_DIR})
set(suitesparse_libraries "")
foreach(name umfpack klu cholmod amd)
  find_library(SUITESPARSE_${name} ${name})
  mark_as_advanced(SUITESPARSE_${name})
  list(APPEND suitesparse_libraries ${SUITESPARSE_${name}})
  if(NOT SUITESPARSE_${name})
    set(SuiteSparse_FOUND FALSE)
  endif()
endforeach()
if(SuiteSparse_FOUND AND NOT TARGET SuiteSparse::SuiteSparse)
  add_library(SuiteSparse::SuiteSparse INTERFACE IMPORTED)
  set_target_properties(SuiteSparse::SuiteSparse PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${SUITESPARSE_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES "${suitesparse_libraries}")
endif()
