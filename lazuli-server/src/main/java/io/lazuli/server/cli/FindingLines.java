package io.lazuli.server.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.check.Finding;
import io.lazuli.server.check.Place;
import io.lazuli.server.scrub.Progress;
import io.lazuli.server.scrub.StoreWalk;
import io.lazuli.storage.StoredDamage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Prints what {@code lazuli verify} and {@code lazuli repair} find: a line for each damage, or a
 * JSON object. Shows the progress of a long walk on the standard error. Mutable.
 */
final class FindingLines {
  private static final long PROGRESS_NANOS = Duration.ofSeconds(5).toNanos();

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private long damaged;
  private boolean failed;

  FindingLines(CommandSpec spec, boolean json) {
    this.out = spec.commandLine().getOut();
    this.err = spec.commandLine().getErr();
    this.json = json;
  }

  /** Prints a damage and counts it. */
  void found(Finding finding) {
    damaged++;
    print(finding, "damage");
  }

  /** Prints a damaged place of a file and counts it. */
  void foundInFile(StoredDamage damage) {
    String place = damage.file() + ", offset " + damage.offset();
    found(new Finding(Place.FILES, place, damage.problem()));
  }

  /** Prints a damage that was repaired. */
  void repaired(Finding finding) {
    print(finding, "repaired");
  }

  private void print(Finding finding, String type) {
    if (!json) {
      out.println((type.equals("repaired") ? "repaired: " : "") + finding.line());
    } else {
      printJson(
          to -> {
            to.writeStringField("type", type);
            to.writeStringField("kind", finding.place().kind());
            to.writeStringField("account", finding.place().account());
            to.writeStringField("name", finding.place().name());
            to.writeStringField("key", finding.key());
            to.writeStringField("problem", finding.problem());
          });
    }
    out.flush();
  }

  /** Prints a line that is not damage. */
  void note(String line) {
    if (!json) {
      out.println(line);
    } else {
      printJson(
          to -> {
            to.writeStringField("type", "note");
            to.writeStringField("note", line);
          });
    }
    out.flush();
  }

  /** Notes that the store cannot be read. */
  void failed(String reason) {
    failed = true;
    err.println("lazuli: " + reason);
  }

  /** Runs a walk to its end. */
  void follow(StoreWalk walk) {
    long shown = System.nanoTime();
    while (!walk.isDone()) {
      long unused = walk.step();
      if (System.nanoTime() - shown > PROGRESS_NANOS) {
        shown = System.nanoTime();
        err.println("read so far: " + walk.progress().line());
        err.flush();
      }
    }
    note("read: " + walk.progress().line());
    if (walk.unusedChunks() > 0) {
      note(
          "%,d chunks are not part of a blob; the running server removes them"
              .formatted(walk.unusedChunks()));
    }
    if (json) {
      printProgress(walk.progress());
    }
  }

  private void printProgress(Progress progress) {
    printJson(
        to -> {
          to.writeStringField("type", "read");
          to.writeNumberField("files", progress.files());
          to.writeNumberField("spaces", progress.spaces());
          to.writeNumberField("records", progress.records());
          to.writeNumberField("chunks", progress.chunks());
          to.writeNumberField("bytes", progress.bytes());
          to.writeNumberField("damaged", damaged);
        });
  }

  /** Ends the output. Returns the exit code. */
  int end() {
    if (damaged > 0) {
      err.println("lazuli: " + damaged + " damaged, see above");
    }
    return damaged > 0 || failed ? 1 : 0;
  }

  /** Writes the fields of an object. */
  @FunctionalInterface
  private interface Fields {
    void write(JsonGenerator to) throws IOException;
  }

  private void printJson(Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator to = new JsonFactory().createGenerator(text)) {
      to.writeStartObject();
      fields.write(to);
      to.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println(text);
    out.flush();
  }
}
