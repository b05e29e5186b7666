# The installed tree: the binary, its data, the Python package, and what a plug-in or a program of one's own is built
# against.
include(CMakePackageConfigHelpers)

# A plug-in needs the headers alone: its symbols are resolved in the stepbench binary that loads it.
add_library(stepbench_plugin INTERFACE)
target_include_directories(stepbench_plugin INTERFACE
  $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  # of analyses and experiments
  $<BUILD_INTERFACE:${SB_BUILD_DATA}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_DATADIR}/stepbench>)
target_compile_definitions(stepbench_plugin INTERFACE SB_PLUGIN)
# A function without its header returns an int to the compiler: numbers would be garbage.
target_compile_options(stepbench_plugin INTERFACE -ffp-contract=off
  $<$<COMPILE_LANGUAGE:C>:-Werror=implicit-function-declaration>)
set_target_properties(stepbench_plugin PROPERTIES EXPORT_NAME plugin)
set_target_properties(stepbench_core PROPERTIES EXPORT_NAME core OUTPUT_NAME stepbench)

install(TARGETS stepbench)
foreach(name IN LISTS SB_PRECISIONS)
  install(TARGETS stepbench_${name})
endforeach()
install(TARGETS stepbench_core stepbench_plugin EXPORT stepbenchTargets)
install(DIRECTORY include/stepbench DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${SB_DATA_FOLDERS} DESTINATION ${CMAKE_INSTALL_DATADIR}/stepbench)
install(FILES ${SB_DATA_FILES} DESTINATION ${CMAKE_INSTALL_DATADIR}/stepbench)
foreach(item IN LISTS SB_DATA_HEADERS)
  get_filename_component(folder ${item} DIRECTORY)
  install(FILES ${item} DESTINATION ${CMAKE_INSTALL_DATADIR}/stepbench/${folder})
endforeach()
# In a folder of its own: only the package in Python loads it.
install(TARGETS stepbench_session DESTINATION ${CMAKE_INSTALL_LIBDIR}/stepbench)
install(FILES engines/engine.py engines/engine.mjs engines/engine.hpp engines/mujoco.mjs engines/cannon_es.mjs engines/p2.mjs
              engines/planck.mjs engines/rapier.mjs engines/package.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/stepbench/engines)
install(FILES bench/session/session.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stepbench)
install(DIRECTORY python/stepbench python/examples python/notebooks DESTINATION ${CMAKE_INSTALL_DATADIR}/stepbench/python
        FILES_MATCHING PATTERN "*.py" PATTERN "*.ipynb")
install(FILES python/pyproject.toml python/stepbench_derive.py DESTINATION ${CMAKE_INSTALL_DATADIR}/stepbench/python)
install(FILES LICENSE README.md docs/references.bib DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The manual page is what the binary itself writes, compressed as Debian has it. Those of stepbench_quad and
# stepbench_single, which `stepbench --precision` calls, refer to it.
find_program(GZIP gzip REQUIRED)
set(SB_PAGES stepbench)
foreach(name IN LISTS SB_PRECISIONS)
  file(WRITE ${CMAKE_BINARY_DIR}/stepbench_${name}.1 ".so man1/stepbench.1\n")
  list(APPEND SB_PAGES stepbench_${name})
endforeach()
list(TRANSFORM SB_PAGES REPLACE "(.+)" "${CMAKE_BINARY_DIR}/\\1.1" OUTPUT_VARIABLE SB_PLAIN_PAGES)
list(TRANSFORM SB_PLAIN_PAGES APPEND .gz OUTPUT_VARIABLE SB_COMPRESSED_PAGES)
add_custom_command(OUTPUT ${SB_COMPRESSED_PAGES}
                   COMMAND stepbench man > ${CMAKE_BINARY_DIR}/stepbench.1
                   COMMAND ${GZIP} -9nkf ${SB_PLAIN_PAGES}
                   DEPENDS stepbench VERBATIM)
add_custom_target(manual ALL DEPENDS ${SB_COMPRESSED_PAGES})
install(FILES ${SB_COMPRESSED_PAGES} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES tools/stepbench.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME stepbench)
# zsh finds a file _NAME in its site-functions.
install(FILES tools/stepbench.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _stepbench)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stepbench)
# The build tree serves as a package, too: stepbench_DIR=build.
export(EXPORT stepbenchTargets NAMESPACE stepbench:: FILE ${CMAKE_BINARY_DIR}/stepbenchTargets.cmake)
configure_file(cmake/suitesparse.cmake ${CMAKE_BINARY_DIR}/suitesparse.cmake COPYONLY)
install(EXPORT stepbenchTargets NAMESPACE stepbench:: DESTINATION ${package_dir})
configure_package_config_file(cmake/stepbenchConfig.cmake.in ${CMAKE_BINARY_DIR}/stepbenchConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/stepbenchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/stepbenchConfig.cmake ${CMAKE_BINARY_DIR}/stepbenchConfigVersion.cmake
        cmake/suitesparse.cmake DESTINATION ${package_dir})

configure_file(cmake/stepbench.pc.in ${CMAKE_BINARY_DIR}/stepbench.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/stepbench.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
