@echo off
rem Runs Lazuli in place of azurite-table.
"%~dp0lazuli.cmd" azurite-table %*
