package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;

import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.WireRequest;

/** The operations on entities, with the permission letters that a signature needs (auth 4.5, 5). */
enum EntityCall {
  GET_ENTITY("r", 200),
  QUERY_ENTITIES("r", 200),
  INSERT_ENTITY("a", 204),
  UPDATE_ENTITY("u", 204),
  MERGE_ENTITY("u", 204),
  INSERT_OR_REPLACE("au", 204),
  INSERT_OR_MERGE("au", 204),
  DELETE_ENTITY("d", 204);

  final String letters;
  final int success;

  EntityCall(String letters, int success) {
    this.letters = letters;
    this.success = success;
  }

  boolean isWrite() {
    return this != GET_ENTITY && this != QUERY_ENTITIES;
  }

  /**
   * Returns the request for the entity with these keys. An insert needs a free key; the other
   * operations are meant for an existing entity.
   */
  WireRequest on(ScratchTable table, String partitionKey, String rowKey) {
    String path = table.path(partitionKey, rowKey);
    return switch (this) {
      case GET_ENTITY -> table.read(partitionKey, rowKey);
      case QUERY_ENTITIES ->
          table.filter("PartitionKey eq '" + partitionKey + "' and RowKey eq '" + rowKey + "'");
      case INSERT_ENTITY ->
          table
              .insert("{\"PartitionKey\":\"" + partitionKey + "\",\"RowKey\":\"" + rowKey + "\"}")
              .prefer("return-no-content");
      case UPDATE_ENTITY -> table.wire().put(path, "{}").ifMatch("*");
      case MERGE_ENTITY -> table.wire().patch(path, "{}").ifMatch("*");
      case INSERT_OR_REPLACE -> table.wire().put(path, "{}");
      case INSERT_OR_MERGE -> table.wire().request("MERGE", path).body("{}");
      case DELETE_ENTITY -> table.wire().delete(path).ifMatch("*");
    };
  }

  /** Adds the write to a batch. */
  BatchText addTo(BatchText batch, ScratchTable table, String partitionKey, String rowKey) {
    String path = table.path(partitionKey, rowKey);
    return switch (this) {
      case INSERT_ENTITY ->
          batch.insert(table.name(), entity(rowKey).replace("\"p\"", "\"" + partitionKey + "\""));
      case UPDATE_ENTITY -> batch.add("PUT", path, "{}", "If-Match: *");
      case MERGE_ENTITY -> batch.add("MERGE", path, "{}", "If-Match: *");
      case INSERT_OR_REPLACE -> batch.add("PUT", path, "{}");
      case INSERT_OR_MERGE -> batch.add("PATCH", path, "{}");
      case DELETE_ENTITY -> batch.add("DELETE", path, "", "If-Match: *");
      case GET_ENTITY, QUERY_ENTITIES -> throw new IllegalArgumentException("not a write: " + this);
    };
  }
}
