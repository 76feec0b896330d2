package io.lazuli.benchmarks.report;

/** The targets for the figures. An aim is printed as met or missed, but never fails a run. */
public enum Aim {
  GET_CPU("server CPU of a signed point GET, relative to the echo", false, 2.5),
  GET_RATE("point GETs per second, relative to the echo", true, 0.60),
  GET_AZURITE("point GETs per second, relative to Azurite", true, 15),
  INSERT_64("durable inserts at 64 connections, relative to the echo of a POST", true, 0.25),
  INSERT_256("durable inserts at 256 connections, relative to the echo of a POST", true, 0.45),
  INSERT_RELAXED("relaxed inserts at 256 connections, relative to the echo of a POST", true, 0.70),
  BATCH("entities per second in transactions of 100, relative to single inserts", true, 3),
  POINT_SIZE(
      "CPU of a point as $filter in the large table, relative to 10,000 entities", false, 1.5),
  RANGE_SIZE("CPU of a range of 100 in the large table, relative to 10,000 entities", false, 1.5),
  SCAN("entities per CPU second of a filtered table scan", true, 400_000),
  QUEUE_BACKLOG(
      "CPU of a get and delete in the large queue, relative to 1,000 messages", false, 1.5),
  QUEUE_DRAIN(
      "CPU of a get and delete in the most expensive tenth of a drain, relative to the median",
      false,
      1.5),
  BLOB_PUT_CPU("server CPU per MiB of a large put, relative to writing a file", false, 10),
  BLOB_GET_CPU("server CPU per MiB of a large get, relative to reading a file", false, 15),
  BLOB_PUT_AZURITE("MiB per second of a large put, relative to Azurite", true, 3),
  BLOB_LIST("CPU of a listing of 100 blobs among many, relative to 1,000 blobs", false, 1.5),
  INSERT_UNDER_UPLOADS("p99 of inserts during a large upload, relative to inserts alone", false, 5),
  INSERT_UNDER_BACKUP("p99 of inserts during a backup, relative to inserts alone", false, 2),
  LOGS_OFF_CPU(
      "CPU of a point GET with logging off, relative to a server without logs", false, 1.02),
  TOKEN_CPU(
      "CPU of a point GET with a verified token, relative to one with a shared key", false, 1.10),
  LOGS_CPU("CPU of a point GET with logging on, relative to logging off", false, 1.10),
  MAPPING_WRITE("time to convert a record to an entity, relative to code by hand", false, 1.10),
  MAPPING_READ("time to convert an entity to a record, relative to code by hand", false, 1.10),
  MAPPING_MIXED_WRITE("the same, in a program that also maps other types: write", false, 1.10),
  MAPPING_MIXED_READ("the same, in a program that also maps other types: read", false, 1.10),
  MEMORY("resident MiB while serving", false, 1024),
  START("seconds from the start of the process to the first response", false, 2);

  private final String text;
  private final boolean atLeast;
  private final double bound;

  Aim(String text, boolean atLeast, double bound) {
    this.text = text;
    this.atLeast = atLeast;
    this.bound = bound;
  }

  public boolean isMetBy(double value) {
    return atLeast ? value >= bound : value <= bound;
  }

  /** Returns the text of the target. */
  public String text() {
    return text + ": " + (atLeast ? "at least " : "at most ") + Figures.number(bound);
  }

  /** Returns the target and the measured value. */
  public String verdict(double value) {
    if (!Double.isFinite(value)) {
      return "not measured: " + text();
    }
    return (isMetBy(value) ? "met:    " : "MISSED: ")
        + text()
        + ", measured "
        + Figures.number(value);
  }
}
