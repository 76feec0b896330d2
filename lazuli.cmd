@echo off
rem Starts Lazuli: finds a JDK, builds the server when that is needed, runs it.
rem "lazuli conformance" and "lazuli tour" are programs of their own, which the server does not contain.
rem LAZULI_JAVA_OPTS replaces the memory settings.
setlocal
set "HOME_DIR=%~dp0"
set "SERVER=%HOME_DIR%lazuli-server\target\lazuli.jar"
set "MODULE=lazuli-server"
set "JAR=%SERVER%"
set "PARTS=lazuli-storage lazuli-storage-rocksdb lazuli-server"
if /i "%~1"=="conformance" (
  set "MODULE=lazuli-conformance"
  set "JAR=%HOME_DIR%lazuli-conformance\target\lazuli-conformance.jar"
  set "PARTS=%PARTS% lazuli-conformance"
)
if /i "%~1"=="tour" (
  set "MODULE=examples"
  set "JAR=%HOME_DIR%examples\target\lazuli-tour.jar"
  set "PARTS=%PARTS% lazuli-client examples"
)

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
  echo lazuli: %JAVA% is too old; a JDK 17 or newer is needed ^(set JAVA_HOME^) 1>&2
  exit /b 1
)

set "BUILD="
if not exist "%JAR%" (
  set "BUILD=1"
) else if not exist "%SERVER%" (
  set "BUILD=1"
) else if exist "%HOME_DIR%%MODULE%\src" (
  powershell -NoProfile -Command "$j=(Get-Item -LiteralPath $env:JAR).LastWriteTime; $h=$env:HOME_DIR; $s=@('pom.xml')+@(-split $env:PARTS | ForEach-Object {$_+'\pom.xml';$_+'\src\main'}) | ForEach-Object {Join-Path $h $_}; if (Get-ChildItem -Recurse -File -Path $s | Where-Object {$_.LastWriteTime -gt $j} | Select-Object -First 1) {exit 1}"
  if errorlevel 1 set "BUILD=1"
)
if defined BUILD (
  where mvn >nul 2>&1
  if errorlevel 1 (
    echo lazuli: Maven is needed to build Lazuli, and mvn is not on the path 1>&2
    exit /b 1
  )
  echo lazuli: building %MODULE%; this takes a minute and happens once 1>&2
  pushd "%HOME_DIR%"
  call mvn -q -B -pl %MODULE% -am package -Punchecked -Dmaven.test.skip=true -Dspotless.check.skip=true -Denforcer.skip=true 1>&2
  if errorlevel 1 (
    popd
    echo lazuli: the build failed 1>&2
    exit /b 1
  )
  popd
  rem Maven leaves a jar alone whose content would be the same, whatever the sources' times.
  powershell -NoProfile -Command "(Get-Item -LiteralPath $env:SERVER,$env:JAR) | ForEach-Object {$_.LastWriteTime = Get-Date}"
)

rem What newer JDKs would otherwise warn about: RocksDB's native code and Netty's buffers.
set "EXTRA="
if %FEATURE% GEQ 24 set "EXTRA=--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
set "MEMORY=-Xms384m -Xmx512m"
rem In memory all data is on the heap, and half of it is the bound.
if /i "%~1"=="azurite" echo %* | findstr /c:"--inMemoryPersistence" >nul && set "MEMORY=-XX:MaxRAMPercentage=70"
if not defined LAZULI_JAVA_OPTS set "LAZULI_JAVA_OPTS=%MEMORY% -XX:+UseSerialGC"
"%JAVA%" %LAZULI_JAVA_OPTS% -Xshare:auto %EXTRA% "-Dlazuli.server=%SERVER%" -jar "%JAR%" %*
exit /b %ERRORLEVEL%
