# sundials: a plug-in of the solvers of SUNDIALS 6, by the public interface alone. Only with SB_SUNDIALS; its packages are
# libsundials-dev and, for KLU, libsuitesparse-dev.
set(SUNDIALS_LIBRARIES "")
foreach(name cvode arkode ida nvecserial sunlinsoldense sunlinsolklu sunmatrixdense sunmatrixsparse sunnonlinsolfixedpoint)
  find_library(SUNDIALS_${name} sundials_${name} REQUIRED)
  list(APPEND SUNDIALS_LIBRARIES ${SUNDIALS_${name}})
endforeach()
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/sundials/*.c)
add_library(sundials MODULE ${sources})
target_include_directories(sundials PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include
                           ${SUITESPARSE_INCLUDE_DIR}/suitesparse)
target_link_libraries(sundials PRIVATE ${SUNDIALS_LIBRARIES} SuiteSparse::SuiteSparse)
target_compile_definitions(sundials PRIVATE SB_PLUGIN)
set_target_properties(sundials PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
