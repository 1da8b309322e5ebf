@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Tests wperf's source etw on this computer, and writes the results to a folder that the user sends
rem to the developers. Recordings are in a temporary folder, which is removed at the end.
rem Wine's cmd reports a syntax error for || after a program: check errorlevel instead.
setlocal EnableExtensions DisableDelayedExpansion
if "%~1"=="--busy" goto busy
if "%~1"=="--help" goto help
if "%~1"=="/?" goto help
if not "%~2"=="" goto wrong_words
set "out=%~f1"
if "%~1"=="" set "out=%CD%\wperf-etw-results"
rem Use relative names from here on, so that paths of this computer do not get into the results.
cd /d "%~dp0"
if not exist wperf.exe goto no_wperf
if exist "%out%\" goto out_is_there
md "%out%" 2>nul
if not exist "%out%\" goto cannot_write
rem Only administrators may read this key.
reg query HKU\S-1-5-19 >nul 2>nul
if errorlevel 1 goto no_administrator

set "work=%TEMP%\wperf-etw-%RANDOM%%RANDOM%"
md "%work%" 2>nul
if not exist "%work%\" goto cannot_write
set "passed=0"
set "failed=0"
set "summary=%out%\summary.txt"
>"%summary%" echo wperf try-etw
>>"%summary%" ver
>>"%summary%" echo %PROCESSOR_ARCHITECTURE%, %NUMBER_OF_PROCESSORS% CPUs, %PROCESSOR_IDENTIFIER%
echo This takes a few minutes. Do not start other profilers meanwhile.

set words=--version --source timer
call :step 01-version "wperf"
set words=detect
call :step 02-detect "etw"
set words=etw
call :step 03-state "Timer"
set words=list --source etw
call :step 04-list "cpu-clock"
set busy=-- cmd.exe /c try-etw.cmd --busy
set words=record --source etw -g --timeout 60 --save "%work%\timer.data" %busy%
call :step 05-timer "samples"
set words=report -i "%work%\timer.data" --anonymous --percent-limit 2 --tree down
call :step 06-stacks "samples"
set words=record --source etw -g -k -a --timeout 3 --save "%work%\all.data"
call :step 07-all-processes "samples"
set words=record --source etw -g -e TotalIssues:65536 --timeout 60 --save "%work%\issues.data" %busy%
call :step 08-windows-event "samples"
set words=record --source etw -g --off-cpu --timeout 60 --save "%work%\waits.data" %busy%
call :step 09-off-cpu "off-cpu"
set words=stat --source etw -k -e TotalIssues %busy%
call :step 10-stat "TotalIssues"
if /i not "%PROCESSOR_ARCHITECTURE%"=="ARM64" goto no_arm
set words=record --source etw -g -e ld_spec:100000 --timeout 60 --save "%work%\loads.data" %busy%
call :step 11-registered-event "samples"
set words=stat --source etw -k -e inst_retired %busy%
call :step 12-registered-count "inst_retired"
goto clean
:no_arm
>>"%summary%" echo SKIP  11, 12: registered events are for Arm64
:clean
set words=etw --clean
call :step 13-clean ""
set words=etw
call :step 14-state-after "Timer"
call :check_state
call :check_sessions
rd /s /q "%work%" 2>nul
if exist "%work%\" call :fail "16-files: %work% cannot be removed"
call :check_names "%USERNAME%" user
call :check_names "%COMPUTERNAME%" computer
>>"%summary%" echo %passed% passed, %failed% failed
type "%summary%"
echo.
echo Please look at the files in "%out%", and send them.
if not "%failed%"=="0" exit /b 1
exit /b 0

rem The program that the steps above profile: some seconds of work in cmd.exe.
:busy
for /l %%i in (1,1,2000000) do rem
exit /b 0

rem call :step NAME EXPECTED runs wperf with the arguments in "words". The step passes if the exit
rem code is 0 and the output contains EXPECTED.
:step
echo %~1
wperf.exe %words% >"%out%\%~1.txt" 2>&1
set "code=%errorlevel%"
if not "%code%"=="0" goto step_failed
if "%~2"=="" goto step_passed
find "%~2" "%out%\%~1.txt" >nul 2>nul
if errorlevel 1 set "code=0, but no '%~2'"
if not "%code%"=="0" goto step_failed
:step_passed
set /a passed+=1
>>"%summary%" echo PASS  %~1
exit /b 0
:step_failed
>>"%out%\%~1.txt" echo exit code %code%
call :fail "%~1: exit code %code%"
exit /b 0

:fail
set /a failed+=1
>>"%summary%" echo FAIL  %~1
exit /b 0

rem Passes if the intervals and sessions are the same as before.
:check_state
fc "%out%\03-state.txt" "%out%\14-state-after.txt" >"%out%\15-difference.txt" 2>&1
if errorlevel 1 goto state_differs
set /a passed+=1
>>"%summary%" echo PASS  15-difference
exit /b 0
:state_differs
call :fail "15-difference: the state of ETW has changed"
exit /b 0

:check_sessions
logman query -ets >"%work%\sessions.txt" 2>nul
find /i "wperf" "%work%\sessions.txt" >nul 2>nul
if not errorlevel 1 call :fail "16-sessions: a session of wperf is still there"
exit /b 0

:check_names
if "%~1"=="" exit /b 0
find /i "%~1" "%out%\*.txt" >nul 2>nul
if errorlevel 1 exit /b 0
>>"%summary%" echo NOTE  the name of this %2 is in these files; replace it before you send them
exit /b 0

:help
echo usage: try-etw.cmd [DIR]
echo.
echo   Tests what wperf does with ETW, Windows' own profiler, in a few minutes. Writes a summary and the
echo   output of each step to the new folder DIR (default: wperf-etw-results), and leaves nothing else.
echo   Run it as administrator, in the folder of the unpacked package.
echo   Exit codes: 0 all steps passed, 1 a step failed, 2 wrong command line
exit /b 0

:wrong_words
>&2 echo usage: try-etw.cmd [DIR]
exit /b 2

:no_wperf
>&2 echo error: wperf.exe is not beside try-etw.cmd
>&2 echo hint: run try-etw.cmd in the folder to which the whole package was unpacked
exit /b 1

:out_is_there
>&2 echo error: "%out%" exists
>&2 echo hint: choose another folder, or remove this one
exit /b 1

:cannot_write
>&2 echo error: cannot write to "%out%"
>&2 echo hint: choose another folder
exit /b 1

:no_administrator
rd "%out%" 2>nul
>&2 echo error: try-etw.cmd needs administrator rights
>&2 echo hint: use a console started with "Run as administrator"
exit /b 1
