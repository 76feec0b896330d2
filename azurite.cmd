@echo off
rem Runs Lazuli in place of azurite.
"%~dp0lazuli.cmd" azurite %*
