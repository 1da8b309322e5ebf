@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Tries wperf's source etw on this computer, and writes what happened into a folder to send to the
rem developers. Recordings stay in a temporary folder, which is removed.
rem Wine's cmd takes || after programs for an error: so errorlevel is asked.
setlocal EnableExtensions DisableDelayedExpansion
if "%~1"=="--busy" goto busy
if "%~1"=="--help" goto help
if "%~1"=="/?" goto help
if not "%~2"=="" goto wrong_words
set "out=%~f1"
if "%~1"=="" set "out=%CD%\wperf-etw-results"
rem Relative names from here on: paths of this computer are not for the results.
cd /d "%~dp0"
if not exist wperf.exe goto no_wperf
if exist "%out%\" goto out_is_there
md "%out%" 2>nul
if not exist "%out%\" goto cannot_write
rem What only administrators may read.
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
set words=report -i "%work%\timer.data" --percent-limit 2 --tree down
call :step 06-stacks "samples"
set words=record --source etw -g -k -a --timeout 3 --save "%work%\all.data"
call :step 07-all-processes "samples"
set words=record --source etw -g -e TotalIssues:65536 --timeout 60 --save "%work%\issues.data" %busy%
call :step 08-windows-event "samples"
set words=record --source etw -g --off-cpu --timeout 60 --save "%work%\waits.data" %busy%
call :step 09-off-cpu "off-cpu"
set words=stat --source etw -e TotalIssues %busy%
call :step 10-stat "TotalIssues"
if /i not "%PROCESSOR_ARCHITECTURE%"=="ARM64" goto no_arm
set words=record --source etw -g -e ld_spec:100000 --timeout 60 --save "%work%\loads.data" %busy%
call :step 11-registered-event "samples"
set words=stat --source etw -e inst_retired %busy%
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

rem What the steps with a program profile: some seconds of work in cmd.exe.
:busy
for /l %%i in (1,1,2000000) do rem
exit /b 0

rem call :step NAME EXPECTED, with the words for wperf in "words": passes with exit code 0 and the
rem expected text in the output.
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

rem Intervals and sessions are as they were.
:check_state
fc "%out%\03-state.txt" "%out%\14-state-after.txt" >"%out%\15-difference.txt" 2>&1
if errorlevel 1 goto state_differs
set /a passed+=1
>>"%summary%" echo PASS  15-difference
exit /b 0
:state_differs
call :fail "15-difference: the state of ETW is not what it was"
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
echo   Tries what wperf does with ETW, Windows' own profiler, and writes results into the new folder
echo   DIR (default: wperf-etw-results): a summary, and the output of each step. Takes a few minutes.
echo   Run it as administrator, in the folder of the unpacked package. Nothing else stays behind.
echo   Exit codes: 0 everything works, 1 something does not, 2 wrong command line
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
>&2 echo hint: give another folder, or remove this one
exit /b 1

:cannot_write
>&2 echo error: cannot write to "%out%"
>&2 echo hint: give another folder
exit /b 1

:no_administrator
rd "%out%" 2>nul
>&2 echo error: try-etw.cmd needs administrator rights
>&2 echo hint: use a console started with "Run as administrator"
exit /b 1
