# `make package`: a Debian package and an archive of the installed tree, in build/package/. The maintainer is who packs,
# by the variables of Debian's tools: DEBFULLNAME and DEBEMAIL.
set(maintainer "The stepbench developers <stepbench@localhost>")
if(DEFINED ENV{DEBEMAIL})
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(cmake/debian_changelog.in ${CMAKE_BINARY_DIR}/changelog @ONLY)
configure_file(cmake/debian_copyright.in ${CMAKE_BINARY_DIR}/copyright @ONLY)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/changelog.gz
                   COMMAND ${GZIP} -9nkf ${CMAKE_BINARY_DIR}/changelog
                   DEPENDS ${CMAKE_BINARY_DIR}/changelog VERBATIM)
add_custom_target(debian ALL DEPENDS ${CMAKE_BINARY_DIR}/changelog.gz)
install(FILES ${CMAKE_BINARY_DIR}/changelog.gz ${CMAKE_BINARY_DIR}/copyright DESTINATION share/doc/stepbench)

# In /usr the system's Python looks for packages in dist-packages.
install(CODE [[
  if(CMAKE_INSTALL_PREFIX MATCHES "/usr$")
    set(packages "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/python3/dist-packages")
    file(MAKE_DIRECTORY "${packages}")
    foreach(name stepbench stepbench_derive.py)
      file(CREATE_LINK "../../../share/stepbench/python/${name}" "${packages}/${name}" SYMBOLIC)
    endforeach()
  endif()]])

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # cpack installs what is built; the tests are not
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
set(CPACK_PACKAGE_NAME stepbench)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${maintainer})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "benchmark of numerical integrators for mechanical systems")
set(CPACK_PACKAGE_DESCRIPTION
    "stepbench measures the order, stability, conservation and cost of
time-steppers on mechanical systems with constraints, contacts and dry
friction. It loads steppers and problems of the user in C and Python.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/cmake/prerm)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Figures need gnuplot, a plug-in from a C file a compiler, the Python package numpy, a card as PDF a browser.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, gcc, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, chromium, libgsl-dev")
include(CPack)
