package io.lazuli.server.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.storage.PartitionMap;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** A partition map as JSON; the names of the fields are those of the records. */
final class PartitionsJson {
  private PartitionsJson() {}

  static String of(PartitionMap map) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("balancing", map.balancing());
      json.writeArrayFieldStart("nodes");
      for (PartitionMap.Node node : map.nodes()) {
        write(node, json);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("ranges");
      for (PartitionMap.Range range : map.ranges()) {
        write(range, json);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("hottest");
      for (PartitionMap.HotPartition hot : map.hottest()) {
        write(hot, json);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("actions");
      for (PartitionMap.Action action : map.actions()) {
        write(action, json);
      }
      json.writeEndArray();
      write(map.totals(), json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(PartitionMap.Node node, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("server", node.server());
    json.writeNumberField("ranges", node.ranges());
    json.writeNumberField("requestsPerSecond", tenths(node.requestsPerSecond()));
    json.writeBooleanField("answers", node.answers());
    json.writeEndObject();
  }

  private static void write(PartitionMap.Range range, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("table", range.table());
    json.writeStringField("from", range.from());
    json.writeStringField("to", range.to());
    json.writeStringField("server", range.server());
    json.writeNumberField("requestsPerSecond", tenths(range.requestsPerSecond()));
    json.writeNumberField("readsPerSecond", tenths(range.readsPerSecond()));
    json.writeNumberField("writesPerSecond", tenths(range.writesPerSecond()));
    json.writeNumberField("bytes", range.bytes());
    json.writeEndObject();
  }

  private static void write(PartitionMap.HotPartition hot, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("table", hot.table());
    json.writeStringField("partition", hot.partition());
    json.writeNumberField("requestsPerSecond", tenths(hot.requestsPerSecond()));
    json.writeEndObject();
  }

  private static void write(PartitionMap.Action action, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("time", action.time().toString());
    json.writeStringField("what", action.what());
    json.writeStringField("why", action.why());
    json.writeStringField("outcome", action.outcome());
    json.writeEndObject();
  }

  private static void write(PartitionMap.Totals totals, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("totals");
    json.writeNumberField("splits", totals.splits());
    json.writeNumberField("merges", totals.merges());
    json.writeNumberField("moves", totals.moves());
    json.writeNumberField("tooHot", totals.tooHot());
    json.writeNumberField("failed", totals.failed());
    json.writeEndObject();
  }

  private static double tenths(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
