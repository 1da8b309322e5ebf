@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Installs wperf out of the folder of its unpacked package.
rem All is copied into a folder beside its place before anything is changed.
rem Wine's cmd sets no error for md and move, and takes || after programs for an error: so files are
rem looked for, and errorlevel is asked.
setlocal EnableExtensions DisableDelayedExpansion
set "package=%~dp0"
set "files=wperf.exe wperf.pdb wperf-user-path.cmd uninstall.cmd README.txt LICENSE.txt THIRD-PARTY.txt"
set "driver_files=wperf-devgen.exe wperf.inf"
set "with_driver="
set "dir="

:next_word
set "word=%~1"
if not defined word goto words_end
if "%word%"=="--help" goto help
if "%word%"=="/?" goto help
if "%word%"=="--driver" goto driver_word
if "%word:~0,1%"=="-" goto wrong_words
if defined dir goto wrong_words
set "dir=%~f1"
shift
goto next_word
:driver_word
set "with_driver=1"
shift
goto next_word

:words_end
if not defined dir call :choose_dir
if "%dir:~-1%"=="\" set "dir=%dir:~0,-1%"
rem What would be something else in PATH, or in this script.
for /f "tokens=2 delims==;%%^!" %%x in ("x%dir%x") do goto odd_dir

set "missing="
for %%f in (%files%) do if not exist "%package%%%f" set "missing=%%f"
if defined missing goto file_missing
if not defined with_driver goto files_there
if not exist "%package%driver\" goto no_driver
for %%f in (%driver_files%) do if not exist "%package%driver\%%f" set "missing=driver\%%f"
if defined missing goto file_missing
:files_there
"%package%wperf.exe" help >nul 2>nul
if errorlevel 1 goto does_not_run

set "made_dir="
set "was_path="
set "was_driver="
if /i "%dir%\"=="%package%" goto own_dir
if exist "%dir%\installed.txt" goto read_record
if not exist "%dir%\" set "made_dir=1"
if not exist "%dir%\" goto dir_fits
for /f %%f in ('dir /b /a "%dir%"') do goto other_dir
goto dir_fits
:read_record
for /f "usebackq tokens=1,2 delims==" %%a in ("%dir%\installed.txt") do set "was_%%a=%%b"
:dir_fits

set "new=%dir%\new"
md "%new%" 2>nul
if not exist "%new%\" goto cannot_write
set "failed="
for %%f in (%files%) do call :copy_file %%f
if defined failed goto cannot_write
rem wperf.exe is the first: while it runs nothing can take its place, and nothing else has changed.
call :move_file wperf.exe
if defined failed goto in_use
for %%f in (%files%) do if exist "%new%\%%f" call :move_file %%f
if defined failed goto half_moved
rd "%new%"

set "is_new="
if not defined was_path set "is_new=1"
if defined is_new set "was_path=kept"
call "%dir%\wperf-user-path.cmd" add "%dir%"
if not errorlevel 1 set "was_path=added"
call :write_record
echo wperf is installed in "%dir%"
if not defined with_driver exit /b 0

md "%dir%\driver" 2>nul
copy /y "%package%driver\*" "%dir%\driver\" >nul 2>nul
if errorlevel 1 goto driver_failed
"%dir%\driver\wperf-devgen.exe" install "%dir%\driver\wperf.inf"
if errorlevel 1 goto driver_failed
set "was_driver=yes"
call :write_record
"%dir%\driver\wperf-devgen.exe" status
if not errorlevel 1 exit /b 0
>&2 echo error: the driver is installed but not running
call :about_driver >&2
exit /b 1

:write_record
>"%dir%\installed.txt" echo path=%was_path%
if defined was_driver >>"%dir%\installed.txt" echo driver=%was_driver%
exit /b 0

:copy_file
copy /y "%package%%1" "%new%\%1" >nul 2>nul
if errorlevel 1 set "failed=1"
exit /b 0

:move_file
move /y "%new%\%1" "%dir%\%1" >nul 2>nul
if exist "%new%\%1" set "failed=1"
exit /b 0

rem Where this user may write.
:choose_dir
set "dir=%ProgramFiles%\wperf"
md "%dir%.try" 2>nul
if not exist "%dir%.try\" goto users_dir
rd "%dir%.try"
exit /b 0
:users_dir
set "dir=%LOCALAPPDATA%\Programs\wperf"
exit /b 0

:help
echo usage: install.cmd [--driver] [DIR]
echo.
echo   Copies wperf.exe to DIR and adds DIR to the PATH of this user. DIR defaults to
echo   "%ProgramFiles%\wperf" if you can write there,
echo   otherwise "%LOCALAPPDATA%\Programs\wperf". An older installation is replaced.
echo.
echo   --driver   also install the driver; needs administrator rights
echo.
call :about_driver
echo.
echo To uninstall, run uninstall.cmd in DIR. Exit codes: 0 success, 1 failed, 2 wrong command line
exit /b 0

:about_driver
echo The driver needs Windows on Arm, administrator rights, and a signature that Windows trusts.
echo The driver in this package is not signed. To use a driver that you signed yourself
echo (docs/windows-driver.md), switch on test mode and restart: bcdedit /set testsigning on
echo Test mode makes the whole computer less secure, so install.cmd never switches it on.
exit /b 0

:wrong_words
>&2 echo error: unknown argument "%word%"
>&2 echo usage: install.cmd [--driver] [DIR]
exit /b 2

:odd_dir
>&2 echo error: "%dir%" cannot be in PATH: it contains one of = ; ^^ %% !
exit /b 2

:file_missing
>&2 echo error: "%package%%missing%" is missing
>&2 echo hint: run install.cmd in the folder to which the whole package was unpacked
exit /b 1

:no_driver
>&2 echo error: this package has no driver; the driver is for Windows on Arm only
exit /b 1

:does_not_run
>&2 echo error: wperf.exe does not run on this computer
>&2 echo hint: use the package for this computer, x64 or arm64; wperf needs Windows 10 or later
exit /b 1

:own_dir
>&2 echo error: "%dir%" is the folder of the package
>&2 echo hint: give another folder, or no folder
exit /b 1

:other_dir
>&2 echo error: "%dir%" contains files of other programs
>&2 echo hint: give a new or an empty folder
exit /b 1

:cannot_write
>&2 echo error: cannot write to "%dir%"
goto give_up

:in_use
>&2 echo error: "%dir%\wperf.exe" is in use
>&2 echo hint: stop wperf and try again
goto give_up

rem A driver that was there before is there still; what is new is taken back.
:driver_failed
>&2 echo error: the driver was not installed
call :about_driver >&2
if not defined was_driver rd /s /q "%dir%\driver"
if not defined is_new exit /b 1
call "%package%uninstall.cmd" "%dir%"
exit /b 1

:half_moved
>&2 echo error: cannot replace all files in "%dir%"
>&2 echo hint: stop the programs that use them and install again

:give_up
if exist "%new%\" rd /s /q "%new%"
if defined made_dir rd "%dir%" 2>nul
exit /b 1
