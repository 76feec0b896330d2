@echo off
rem Starts Lazuli: finds a JDK, builds the server if necessary, and runs it. In an unpacked archive there is nothing to
rem build: the programs are in lib.
rem "lazuli export", "lazuli import" (of exported files), "lazuli table", "lazuli conformance", "lazuli tour" and "lazuli
rem cluster-demo" are separate programs. The server contains neither them nor the engine hbase.
rem LAZULI_JAVA_OPTS replaces the memory settings. "lazuli works-with" needs a Unix shell.
setlocal
set "HOME_DIR=%~dp0"
set "SERVER=%HOME_DIR%lazuli-server\target\lazuli.jar"
set "CONFORMANCE=%HOME_DIR%lazuli-conformance\target\lazuli-conformance.jar"
set "TOUR=%HOME_DIR%examples\target\lazuli-tour.jar"
set "MODULE=lazuli-server"
set "JAR=%SERVER%"
set "PARTS=lazuli-storage lazuli-storage-rocksdb lazuli-console lazuli-server"
set "MEMORY=-Xms384m -Xmx512m"
set "TRANSFER="
if /i "%~1"=="export" set "TRANSFER=1"
if /i "%~1"=="table" set "TRANSFER=1"
for %%c in (table queue container) do if /i "%~1 %~2"=="import %%c" set "TRANSFER=1"
if defined TRANSFER (
  set "MODULE=lazuli-transfer"
  set "JAR=%HOME_DIR%lazuli-transfer\target\lazuli-transfer.jar"
  set "PARTS=lazuli-transfer"
  set "MEMORY=-Xmx256m"
)
if /i "%~1"=="conformance" (
  set "MODULE=lazuli-conformance"
  set "JAR=%CONFORMANCE%"
  set "PARTS=%PARTS% lazuli-conformance"
)
if /i "%~1"=="tour" (
  set "MODULE=examples"
  set "JAR=%TOUR%"
  set "PARTS=%PARTS% lazuli-client examples"
)
if /i "%~1"=="cluster-demo" (
  set "MODULE=lazuli-cluster"
  set "JAR=%HOME_DIR%lazuli-cluster\target\lazuli-cluster.jar"
  set "PARTS=%PARTS% lazuli-cluster"
)

rem In an archive, the engine hbase is next to the server's jar, where the server looks for it.
if exist "%HOME_DIR%lib\lazuli.jar" (
  set "SERVER=%HOME_DIR%lib\lazuli.jar"
  set "JAR=%HOME_DIR%lib\lazuli.jar"
  if defined TRANSFER set "JAR=%HOME_DIR%lib\lazuli-transfer.jar"
  for %%c in (conformance tour works-with cluster-demo) do if /i "%~1"=="%%c" (
    echo lazuli: %%c runs only from source 1>&2
    exit /b 1
  )
)

rem The engine hbase has its own folder. It is built only if the option or the variable asks for it; the
rem configuration file is not read.
set "ENGINE=%HOME_DIR%lazuli-storage-hbase\target\engine"
set "WANTED="
if /i "%~1"=="cluster-demo" set "WANTED=hbase"
if not defined TRANSFER for %%c in (serve import azurite azurite-blob azurite-queue azurite-table) do if /i "%~1"=="%%c" set "WANTED=%LAZULI_ENGINE%"
echo %* | findstr /r /c:"--engine[= ]" >nul && set "WANTED="
echo %* | findstr /r /c:"--engine[= ]hbase" >nul && set "WANTED=hbase"
rem In memory, all data is on the heap, and may take up to half of it.
set "AZURITE="
for %%c in (azurite azurite-blob azurite-queue azurite-table) do if /i "%~1"=="%%c" set "AZURITE=1"
if defined AZURITE echo %* | findstr /c:"--inMemoryPersistence" >nul && set "MEMORY=-XX:MaxRAMPercentage=70"

if defined JAVA_HOME (
  set "JAVA=%JAVA_HOME%\bin\java.exe"
) else (
  set "JAVA=java.exe"
)
"%JAVA%" -version >nul 2>&1
if errorlevel 1 (
  echo lazuli: no Java found; install a JDK 17 or newer, or set JAVA_HOME 1>&2
  exit /b 1
)
set "FEATURE=0"
for /f tokens^=2^ delims^=^" %%v in ('""%JAVA%" -version 2>&1" ^| findstr /c:" version "') do (
  for /f "tokens=1 delims=.-+" %%f in ("%%v") do set "FEATURE=%%f"
)
if %FEATURE% LSS 17 (
  echo lazuli: %JAVA% is too old; Lazuli needs JDK 17 or newer ^(set JAVA_HOME^) 1>&2
  exit /b 1
)

set "MODULES="
if exist "%HOME_DIR%%MODULE%\src" (
  call :outdated "%JAR%" "%PARTS%"
  if errorlevel 1 set "MODULES=lazuli-server,%MODULE%"
  if not exist "%SERVER%" set "MODULES=lazuli-server,%MODULE%"
)
rem The first build makes all programs, so that the first conformance and the first tour do not build again.
if defined MODULES if not exist "%JAR%" (
  if not exist "%CONFORMANCE%" if exist "%HOME_DIR%lazuli-conformance\src" call set "MODULES=%%MODULES%%,lazuli-conformance"
  if not exist "%TOUR%" if exist "%HOME_DIR%examples\src" call set "MODULES=%%MODULES%%,examples"
)
if "%WANTED%"=="hbase" if exist "%HOME_DIR%lazuli-storage-hbase\src" (
  call :outdated "%ENGINE%\built" "lazuli-storage lazuli-storage-hbase"
  if errorlevel 1 call set "MODULES=%%MODULES%%,lazuli-storage-hbase"
)
if defined MODULES (
  call :build
  if errorlevel 1 exit /b 1
)
if not exist "%JAR%" (
  echo lazuli: %JAR% is missing 1>&2
  exit /b 1
)

rem Without these options newer JDKs warn about RocksDB's native code and Netty's buffers.
set "EXTRA="
if %FEATURE% GEQ 24 set "EXTRA=--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
if not defined LAZULI_JAVA_OPTS set "LAZULI_JAVA_OPTS=%MEMORY% -XX:+UseSerialGC"
rem When running from source, the engine is in the folder in which it was built.
set FOUND=
if exist "%ENGINE%" set FOUND="-Dlazuli.engine.hbase=%ENGINE%"
rem The JVM ends when the heap is full. The server itself notices this too, and also the end of direct memory.
"%JAVA%" -XX:+ExitOnOutOfMemoryError -XX:+DisplayVMOutputToStderr %LAZULI_JAVA_OPTS% -Xshare:auto %EXTRA% "-Dlazuli.server=%SERVER%" %FOUND% -jar "%JAR%" %*
exit /b %ERRORLEVEL%

rem Exits with 1 if the first file is missing, or if any source of the given modules is newer.
:outdated
if not exist "%~1" exit /b 1
set "MADE=%~1"
set "LOOKED=%~2"
powershell -NoProfile -Command "$j=(Get-Item -LiteralPath $env:MADE).LastWriteTime; $h=$env:HOME_DIR; $s=@('pom.xml')+@(-split $env:LOOKED | ForEach-Object {$_+'\pom.xml';$_+'\src\main'}) | ForEach-Object {Join-Path $h $_}; if (Get-ChildItem -Recurse -File -Path $s | Where-Object {$_.LastWriteTime -gt $j} | Select-Object -First 1) {exit 1}"
exit /b %ERRORLEVEL%

:build
where mvn >nul 2>&1
if errorlevel 1 (
  echo lazuli: Maven is needed to build Lazuli, but mvn is not on the path 1>&2
  exit /b 1
)
if "%MODULES:~0,1%"=="," set "MODULES=%MODULES:~1%"
echo lazuli: building; this takes a minute or two and happens once 1>&2
pushd "%HOME_DIR%"
call mvn -q -B -pl "%MODULES%" -am package -Punchecked -Dmaven.test.skip=true -Dspotless.check.skip=true -Denforcer.skip=true 1>&2
if errorlevel 1 (
  popd
  echo lazuli: the build failed 1>&2
  exit /b 1
)
popd
rem Maven does not rewrite a jar with the same content, even if the sources are newer.
set "BUILT=%SERVER%;%JAR%"
echo %MODULES%| findstr /c:"lazuli-conformance" >nul && set "BUILT=%BUILT%;%CONFORMANCE%"
echo %MODULES%| findstr /c:"examples" >nul && set "BUILT=%BUILT%;%TOUR%"
powershell -NoProfile -Command "(Get-Item -LiteralPath ($env:BUILT -split ';')) | ForEach-Object {$_.LastWriteTime = Get-Date}"
if exist "%ENGINE%" type nul > "%ENGINE%\built"
exit /b 0
