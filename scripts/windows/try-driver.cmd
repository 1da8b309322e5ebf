@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Tests wperf's driver on this computer, and writes the results to a folder that the user sends to the
rem developers. The driver is signed with a certificate of its own, started as a service, and stopped;
rem service, certificate and files are removed at the end.
rem Wine's cmd reports a syntax error for || after a program: check errorlevel instead.
setlocal EnableExtensions DisableDelayedExpansion
if "%~1"=="--busy" goto busy
if "%~1"=="--help" goto help
if "%~1"=="/?" goto help
if not "%~2"=="" goto wrong_words
set "out=%~f1"
if "%~1"=="" set "out=%CD%\wperf-driver-results"
rem Use relative names from here on, so that paths of this computer do not get into the results.
cd /d "%~dp0"
if not exist wperf.exe goto no_wperf
if not exist driver\wperf.sys goto no_driver
if exist "%out%\" goto out_is_there
md "%out%" 2>nul
if not exist "%out%\" goto cannot_write
rem Only administrators may read this key.
reg query HKU\S-1-5-19 >nul 2>nul
if errorlevel 1 goto no_administrator
if /i not "%PROCESSOR_ARCHITECTURE%"=="ARM64" goto no_arm
rem A driver that is installed already, ours or WindowsPerf's, stays as it is.
sc query wperf >nul 2>nul
if not errorlevel 1 goto installed

set "work=%TEMP%\wperf-driver-%RANDOM%%RANDOM%"
md "%work%" 2>nul
if not exist "%work%\" goto cannot_write
set "passed=0"
set "failed=0"
if not defined seconds set "seconds=5"
set "summary=%out%\summary.txt"
>"%summary%" echo wperf try-driver
>>"%summary%" ver
>>"%summary%" echo %PROCESSOR_ARCHITECTURE%, %NUMBER_OF_PROCESSORS% CPUs, %PROCESSOR_IDENTIFIER%
echo This takes a few minutes. Save your work first: a driver that fails stops the computer.

set words=--version --source timer
call :step 01-version "wperf"
copy /y driver\wperf.sys "%work%\wperf.sys" >nul
set "subject=CN=wperf try-driver"
set "trust=$t='Root','TrustedPublisher'; foreach($n in $t){$s=New-Object Security.Cryptography.X509Certificates.X509Store($n,'LocalMachine'); $s.Open('ReadWrite'); $s.Add($c); $s.Close()}"
set "sign=$c=New-SelfSignedCertificate -Type CodeSigningCert -Subject '%subject%' -HashAlgorithm SHA256 -CertStoreLocation Cert:\LocalMachine\My; %trust%; (Set-AuthenticodeSignature -FilePath '%work%\wperf.sys' -Certificate $c -HashAlgorithm SHA256).Status"
powershell -NoProfile -Command "%sign%" >"%out%\02-sign.txt" 2>&1
set "code=%errorlevel%"
call :judge 02-sign %code% "Valid"
if not "%code%"=="0" goto clean
sc create wperf type= kernel start= demand binPath= "%work%\wperf.sys" >"%out%\03-start.txt" 2>&1
sc start wperf >>"%out%\03-start.txt" 2>&1
set "code=%errorlevel%"
call :judge 03-start %code% ""
if "%code%"=="577" call :say_test_mode
if not "%code%"=="0" goto clean

set words=detect
call :step 04-detect "driver"
set words=test --source driver
call :step 05-test "PMU_CTL_QUERY_HW_CFG"
set busy=-- cmd.exe /c try-driver.cmd --busy
set words=stat --source driver -e inst_retired,cpu_cycles -c 0 --timeout %seconds%
call :step 06-count "inst_retired"
set words=stat --source driver -e r08,r11,r03,r04,r10,r12,r13,r14,r15,r16,r17,r18 --timeout %seconds%
call :step 07-turns "r18"
set words=stat --source driver -e inst_retired -c 0 %busy%
call :step 08-program "inst_retired"
set words=record --source driver -e cpu_cycles:u:1000000 -c 0 --timeout %seconds% --save "%work%\user.data"
call :step 09-samples "samples"
set words=record --source driver -e cpu_cycles:k:100000 -g -c 0 --timeout %seconds% --save "%work%\kernel.data"
call :step 10-kernel "samples"
set words=report -i "%work%\kernel.data" --anonymous --percent-limit 2 --tree down
call :step 11-callers "samples"
set words=record --source driver -e inst_retired:u:100 -c 0 --timeout %seconds% --save "%work%\storm.data"
call :step 12-throttle "throttled"
set words=stat --source driver -e inst_retired -c 0 --timeout 0.2
for /l %%i in (1,1,20) do call :again
call :judge 13-twenty-runs %again% ""
sc stop wperf >"%out%\14-stop.txt" 2>&1
call :judge 14-stop %errorlevel% ""
sc query wperf >"%out%\15-stopped.txt" 2>&1
call :judge 15-stopped %errorlevel% "STOPPED"

:clean
sc stop wperf >nul 2>nul
sc delete wperf >nul 2>nul
set "untrust=foreach($n in 'My','Root','TrustedPublisher'){Get-ChildItem Cert:\LocalMachine\$n | Where-Object Subject -eq '%subject%' | Remove-Item}"
powershell -NoProfile -Command "%untrust%" >"%out%\16-clean.txt" 2>&1
call :judge 16-clean %errorlevel% ""
rd /s /q "%work%" 2>nul
if exist "%work%\" call :fail "16-clean: %work% cannot be removed"
call :check_names "%USERNAME%" user
call :check_names "%COMPUTERNAME%" computer
>>"%summary%" echo %passed% passed, %failed% failed
type "%summary%"
echo.
echo Please look at the files in "%out%", and send them.
if not "%failed%"=="0" exit /b 1
exit /b 0

rem The program that a step above counts: some seconds of work in cmd.exe.
:busy
for /l %%i in (1,1,2000000) do rem
exit /b 0

rem call :step NAME EXPECTED runs wperf with the arguments in "words". The step passes if the exit
rem code is 0 and the output contains EXPECTED.
:step
echo %~1
wperf.exe %words% >"%out%\%~1.txt" 2>&1
call :judge %1 %errorlevel% %2
exit /b 0

rem call :judge NAME CODE EXPECTED: the output is in the file of the step.
:judge
set "code=%~2"
if not "%code%"=="0" goto step_failed
if "%~3"=="" goto step_passed
find "%~3" "%out%\%~1.txt" >nul 2>nul
if errorlevel 1 set "code=0, but no '%~3'"
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

rem The last exit code that is not 0, if any.
:again
if not defined again set "again=0"
wperf.exe %words% >>"%out%\13-twenty-runs.txt" 2>&1
if errorlevel 1 set "again=%errorlevel%"
exit /b 0

:say_test_mode
>>"%summary%" echo NOTE  Windows refused the signature. Turn off Secure Boot, run "bcdedit /set testsigning on", and restart
exit /b 0

:check_names
if "%~1"=="" exit /b 0
find /i "%~1" "%out%\*.txt" >nul 2>nul
if errorlevel 1 exit /b 0
>>"%summary%" echo NOTE  the name of this %2 is in these files; replace it before you send them
exit /b 0

:help
echo usage: try-driver.cmd [DIR]
echo.
echo   Tests wperf's driver on a computer with Windows on Arm, in a few minutes. Writes a summary and the
echo   output of each step to the new folder DIR (default: wperf-driver-results), and leaves nothing
echo   else. Run it as administrator, in the folder of the unpacked package, on a computer for tests:
echo   the driver has never run on real hardware. Windows loads it only in test mode: turn off Secure
echo   Boot, run "bcdedit /set testsigning on", and restart.
echo   Exit codes: 0 all steps passed, 1 a step failed, 2 wrong command line
exit /b 0

:wrong_words
>&2 echo usage: try-driver.cmd [DIR]
exit /b 2

:no_wperf
>&2 echo error: wperf.exe is not beside try-driver.cmd
>&2 echo hint: run try-driver.cmd in the folder to which the whole package was unpacked
exit /b 1

:no_driver
>&2 echo error: driver\wperf.sys is not beside try-driver.cmd
>&2 echo hint: unpack the package for Windows on Arm, which contains the driver
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
>&2 echo error: try-driver.cmd needs administrator rights
>&2 echo hint: use a console started with "Run as administrator"
exit /b 1

:no_arm
rd "%out%" 2>nul
>&2 echo error: this computer is not Arm64: wperf's driver needs an Arm PMU
exit /b 1

:installed
rd "%out%" 2>nul
>&2 echo error: a driver named wperf is installed
>&2 echo hint: remove it first: wperf-devgen uninstall, or sc delete wperf
exit /b 1
