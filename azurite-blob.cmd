@echo off
rem Runs Lazuli in place of azurite-blob.
"%~dp0lazuli.cmd" azurite-blob %*
