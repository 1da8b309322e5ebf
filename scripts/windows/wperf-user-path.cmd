@echo off
rem SPDX-License-Identifier: Apache-2.0
rem wperf-user-path.cmd add DIR, or remove DIR: in the PATH of this user, in the registry.
rem Exit codes: 0 changed, 3 there was nothing to do, 1 left as it was and said why.
rem Not by setx, which cuts PATH at 1024 characters and puts the system's PATH into it.
setlocal EnableExtensions EnableDelayedExpansion
set "key=HKCU\Environment"
set "copy=HKCU\Software\wperf-user-path"
set "verb=%~1"
set "dir=%~2"
set "path_type="
set "user_path="
reg query %key% /v Path >nul 2>nul
if errorlevel 1 goto no_path
for /f "tokens=1,2*" %%a in ('reg query %key% /v Path') do if /i "%%a"=="Path" set "path_type=%%b"
for /f "tokens=1,2*" %%a in ('reg query %key% /v Path') do if /i "%%a"=="Path" set "user_path=%%c"
if not defined user_path goto leave

set "unquoted=%user_path:"='%"
if not "%unquoted:'=%"=="%unquoted%" goto leave
if not "%user_path:?=%"=="%user_path%" goto leave
if not "%user_path:~0,4000%"=="%user_path%" goto leave
set "found="
set "others="
for %%e in ("%user_path:;=" "%") do if /i "%%~e"=="%dir%" set "found=1"
for %%e in ("%user_path:;=" "%") do if /i not "%%~e"=="%dir%" set "others=!others!;%%~e"
set "code=3"
if "%verb%"=="add" if defined found goto end
if "%verb%"=="remove" if not defined found goto end
call :check_copy
if errorlevel 1 goto leave
set "new_path=%user_path%;%dir%"
if "%verb%"=="add" goto write
if not defined others goto delete
set "new_path=%others:~1%"
if not defined new_path goto delete
:write
if "%new_path:~-1%"=="\" set "new_path=%new_path%\"
reg add %key% /v Path /t %path_type% /d "%new_path%" /f >nul 2>nul
if errorlevel 1 goto leave
goto changed
:delete
reg delete %key% /v Path /f >nul 2>nul
if errorlevel 1 goto leave
goto changed

rem Without /f: if there is one after all it stays.
:no_path
set "code=3"
if "%verb%"=="remove" goto end
reg add %key% /v Path /t REG_EXPAND_SZ /d "%dir%" <nul >nul 2>nul
if errorlevel 1 goto leave

rem Programs that run hear of it by setx, here of a value that goes again.
:changed
setx WPERF_PATH_HAS_CHANGED 1 >nul 2>nul
reg delete %key% /v WPERF_PATH_HAS_CHANGED /f >nul 2>nul
if "%verb%"=="add" echo "%dir%" is in the PATH of new consoles
set "code=0"
:end
exit /b %code%

:leave
>&2 echo warning: the PATH of this user was not changed, because this script might damage it
>&2 echo hint: %verb% "%dir%" yourself in Settings, Edit environment variables for your account
exit /b 1

rem What went through this script is written elsewhere, and has to be the same to the character.
rem A backslash before the quote that ends an argument would quote it. Wine's reg cannot compare.
:check_copy
set "argument=%user_path%"
if "%argument:~-1%"=="\" set "argument=%argument%\"
reg add %copy% /v Path /t %path_type% /d "%argument%" /f >nul 2>nul
if errorlevel 1 exit /b 1
reg compare %key% %copy% /v Path >nul 2>nul
set "differs=%errorlevel%"
reg delete %copy% /f >nul 2>nul
reg query HKCU\Software\Wine >nul 2>nul
if not errorlevel 1 exit /b 0
exit /b %differs%
