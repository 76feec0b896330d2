@echo off
rem Starts Lazuli: finds a Java, builds the server if necessary, and runs it. In an unpacked archive there is nothing to
rem build: the programs are in lib.
rem "lazuli export", "lazuli import" (of exported files), "lazuli table", "lazuli conformance", "lazuli tour" and "lazuli
rem cluster-demo" are separate programs. The server contains neither them nor the engine hbase.
rem LAZULI_JAVA_OPTS replaces the memory settings. "lazuli works-with" needs a Unix shell.
rem There are no blocks in parentheses: cmd.exe would end them at a parenthesis in a path, such as "Program Files (x86)".
setlocal EnableExtensions DisableDelayedExpansion
set "HOME_DIR=%~dp0"
set "COMMAND=%~1"
set "OBJECT=%~2"
set "ENGINE_OPTION="
set "IN_MEMORY="
rem cmd.exe also splits --engine=hbase. The last line passes on the arguments as they were given.
:scan
if "%~1"=="" goto scanned
if "%~1"=="--engine" set "ENGINE_OPTION=%~2"
if "%~1"=="--inMemoryPersistence" set "IN_MEMORY=1"
shift
goto scan
:scanned

set "MODULE=lazuli-server"
set "FILE=lazuli.jar"
set "PARTS=lazuli-storage lazuli-storage-rocksdb lazuli-console lazuli-server"
set "MEMORY=-Xms384m -Xmx512m"
if "%COMMAND%"=="export" goto transfer
if "%COMMAND%"=="table" goto transfer
if "%COMMAND% %OBJECT%"=="import table" goto transfer
if "%COMMAND% %OBJECT%"=="import queue" goto transfer
if "%COMMAND% %OBJECT%"=="import container" goto transfer
if "%COMMAND%"=="conformance" goto conformance
if "%COMMAND%"=="tour" goto tour
if "%COMMAND%"=="cluster-demo" goto cluster
rem In memory, all data is on the heap, and may take up to half of it.
if "%COMMAND:~0,7%"=="azurite" if defined IN_MEMORY set "MEMORY=-XX:MaxRAMPercentage=70"
goto chosen
:transfer
set "MODULE=lazuli-transfer"
set "FILE=lazuli-transfer.jar"
set "PARTS=lazuli-transfer"
set "MEMORY=-Xmx256m"
goto chosen
:conformance
set "MODULE=lazuli-conformance"
set "FILE=lazuli-conformance.jar"
set "PARTS=%PARTS% lazuli-conformance"
goto chosen
:tour
set "MODULE=examples"
set "FILE=lazuli-tour.jar"
set "PARTS=%PARTS% lazuli-client examples"
goto chosen
:cluster
set "MODULE=lazuli-cluster"
set "FILE=lazuli-cluster.jar"
set "PARTS=%PARTS% lazuli-cluster"

:chosen
if exist "%HOME_DIR%lib\lazuli.jar" goto archive
set "SERVER=%HOME_DIR%lazuli-server\target\lazuli.jar"
set "JAR=%HOME_DIR%%MODULE%\target\%FILE%"
goto java
rem In an archive, the engine hbase is next to the server's jar, where the server looks for it.
:archive
set "SERVER=%HOME_DIR%lib\lazuli.jar"
set "JAR=%HOME_DIR%lib\%FILE%"
if "%COMMAND%"=="works-with" goto sourceonly
if "%MODULE%"=="lazuli-server" goto java
if "%MODULE%"=="lazuli-transfer" goto java
:sourceonly
echo lazuli: %COMMAND% runs only from source 1>&2
exit /b 1

rem Java is asked for its version in its own folder, because a path in FOR /F would need quotes in quotes.
:java
set "JAVA=java.exe"
set "ASKED=java.exe"
set "JAVA_FOLDER=."
if not defined JAVA_HOME goto version
rem Quotes around JAVA_HOME are a common mistake.
set "JAVA_FOLDER=%JAVA_HOME:"=%\bin"
set "JAVA=%JAVA_FOLDER%\java.exe"
set "ASKED=.\java.exe"
if exist "%JAVA%" goto version
echo lazuli: JAVA_HOME is "%JAVA_HOME:"=%", but it contains no bin\java.exe 1>&2
exit /b 1
:version
set "FEATURE="
pushd "%JAVA_FOLDER%"
for /f "tokens=2,3" %%a in ('%ASKED% -version 2^>^&1') do if "%%a"=="version" set "FEATURE=%%~b"
popd
if not defined FEATURE goto nojava
for /f "tokens=1 delims=.-+" %%f in ("%FEATURE%") do set "FEATURE=%%f"
if %FEATURE% LSS 17 goto oldjava

set "MODULES="
set "ENGINE=%HOME_DIR%lazuli-storage-hbase\target\engine"
if not exist "%HOME_DIR%%MODULE%\src" goto built
set "CONFORMANCE=%HOME_DIR%lazuli-conformance\target\lazuli-conformance.jar"
set "TOUR=%HOME_DIR%examples\target\lazuli-tour.jar"
set "MADE=%JAR%"
set "LOOKED=%PARTS%"
call :outdated
if errorlevel 1 set "MODULES=lazuli-server,%MODULE%"
if not exist "%SERVER%" set "MODULES=lazuli-server,%MODULE%"
rem The first build makes all programs, so that the first conformance and the first tour do not build again.
if not defined MODULES goto engine
if exist "%JAR%" goto engine
if not exist "%CONFORMANCE%" if exist "%HOME_DIR%lazuli-conformance\src" set "MODULES=%MODULES%,lazuli-conformance"
if not exist "%TOUR%" if exist "%HOME_DIR%examples\src" set "MODULES=%MODULES%,examples"
rem The engine hbase has its own folder. It is built only if the option or the variable asks for it; the
rem configuration file is not read.
:engine
set "WANTED="
if "%COMMAND%"=="serve" set "WANTED=%LAZULI_ENGINE%"
if "%COMMAND% %OBJECT%"=="import azurite" set "WANTED=%LAZULI_ENGINE%"
if "%COMMAND:~0,7%"=="azurite" set "WANTED=%LAZULI_ENGINE%"
if "%COMMAND%"=="cluster-demo" set "WANTED=hbase"
if defined ENGINE_OPTION set "WANTED=%ENGINE_OPTION%"
if not "%WANTED%"=="hbase" goto build
if not exist "%HOME_DIR%lazuli-storage-hbase\src" goto build
set "MADE=%ENGINE%\built"
set "LOOKED=lazuli-storage lazuli-storage-hbase"
call :outdated
if errorlevel 1 set "MODULES=%MODULES%,lazuli-storage-hbase"
:build
if not defined MODULES goto built
if "%MODULES:~0,1%"=="," set "MODULES=%MODULES:~1%"
where mvn >nul 2>&1
if errorlevel 1 goto nomaven
echo lazuli: building; this takes a minute or two and happens once 1>&2
pushd "%HOME_DIR%"
call mvn -q -B -pl "%MODULES%" -am package -Punchecked -Dmaven.test.skip=true -Dspotless.check.skip=true -Denforcer.skip=true 1>&2
if errorlevel 1 goto failed
popd
rem Maven does not rewrite a jar with the same content, even if the sources are newer.
set "BUILT=%SERVER%;%JAR%"
echo %MODULES%| findstr /c:"lazuli-conformance" >nul && set "BUILT=%BUILT%;%CONFORMANCE%"
echo %MODULES%| findstr /c:"examples" >nul && set "BUILT=%BUILT%;%TOUR%"
powershell -NoProfile -Command "(Get-Item -LiteralPath ($env:BUILT -split ';')) | ForEach-Object {$_.LastWriteTime = Get-Date}"
if exist "%ENGINE%" type nul > "%ENGINE%\built"
:built
if not exist "%JAR%" goto nojar

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

rem Exits with 1 if the file MADE is missing, or if any source of the modules in LOOKED is newer.
:outdated
if not exist "%MADE%" exit /b 1
powershell -NoProfile -Command "$j=(Get-Item -LiteralPath $env:MADE).LastWriteTime; $h=$env:HOME_DIR; $s=@('pom.xml')+@(-split $env:LOOKED | ForEach-Object {$_+'\pom.xml';$_+'\src\main'}) | ForEach-Object {Join-Path $h $_}; if (Get-ChildItem -Recurse -File -Path $s | Where-Object {$_.LastWriteTime -gt $j} | Select-Object -First 1) {exit 1}"
exit /b %ERRORLEVEL%

:nojava
echo lazuli: no Java found; install a JDK 17 or newer, or set JAVA_HOME 1>&2
exit /b 1
:oldjava
echo lazuli: "%JAVA%" is version %FEATURE%; Lazuli needs JDK 17 or newer, set JAVA_HOME 1>&2
exit /b 1
:nojar
echo lazuli: "%JAR%" is missing 1>&2
exit /b 1
:nomaven
echo lazuli: Maven is needed to build Lazuli, but mvn is not on the path 1>&2
exit /b 1
:failed
popd
echo lazuli: the build failed 1>&2
exit /b 1
