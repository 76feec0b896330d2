@echo off
rem Runs Lazuli in place of azurite-queue.
"%~dp0lazuli.cmd" azurite-queue %*
