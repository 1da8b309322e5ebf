@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Undoes what install.cmd did, by what it noted in installed.txt.
setlocal EnableExtensions DisableDelayedExpansion
set "files=wperf.pdb wperf-user-path.cmd README.txt LICENSE.txt THIRD-PARTY.txt installed.txt"
set "self=%~f0"
set "dir=%~f1"
if "%~1"=="" set "dir=%~dp0"
if "%~1"=="--help" goto help
if "%~1"=="/?" goto help
if not "%~2"=="" goto wrong_words
if "%dir:~-1%"=="\" set "dir=%dir:~0,-1%"
if not exist "%dir%\installed.txt" goto not_installed

set "was_path="
set "was_driver="
for /f "usebackq tokens=1,2 delims==" %%a in ("%dir%\installed.txt") do set "was_%%a=%%b"
if not defined was_driver goto driver_removed
"%dir%\driver\wperf-devgen.exe" remove
rem 3: it was not there any more
if not errorlevel 1 goto driver_removed
if not errorlevel 3 goto driver_stays
if errorlevel 4 goto driver_stays
:driver_removed

del /q "%dir%\wperf.exe" 2>nul
if exist "%dir%\wperf.exe" goto in_use

set "code=0"
if not "%was_path%"=="added" goto path_removed
call "%dir%\wperf-user-path.cmd" remove "%dir%"
if "%errorlevel%"=="1" set "code=1"
:path_removed
if exist "%dir%\driver\" rd /s /q "%dir%\driver"
for %%f in (%files%) do del /q "%dir%\%%f" 2>nul
echo wperf is no longer in "%dir%"
rem In one line, as nothing can be read from this file any more when it is gone.
cd /d "%TEMP%"
if /i "%self%"=="%dir%\uninstall.cmd" del "%self%" & rd "%dir%" 2>nul & exit /b %code%
del "%dir%\uninstall.cmd"
rd "%dir%" 2>nul
exit /b %code%

:help
echo usage: uninstall.cmd [DIR]
echo.
echo   Removes what install.cmd installed in DIR (default: the folder of this file): wperf, its entry
echo   in the PATH of this user, and the driver if installed, which needs administrator rights.
echo   Other files in DIR stay. Exit codes: 0 success, 1 failed, 2 wrong command line
exit /b 0

:wrong_words
>&2 echo error: unknown argument "%~2"
>&2 echo usage: uninstall.cmd [DIR]
exit /b 2

:not_installed
>&2 echo error: wperf is not installed in "%dir%"
>&2 echo hint: run uninstall.cmd in the folder of the installed wperf.exe, or give that folder
exit /b 1

:in_use
>&2 echo error: "%dir%\wperf.exe" is in use, or you cannot write there
>&2 echo hint: stop wperf and try again; run as administrator if an administrator installed it
exit /b 1

:driver_stays
>&2 echo error: cannot remove the driver; nothing else was removed
>&2 echo hint: run uninstall.cmd as an administrator
exit /b 1
