package io.lazuli.conformance.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.wire.ScratchTable;
import io.lazuli.conformance.wire.Transcript;
import io.lazuli.conformance.wire.TranscriptPlayer;
import io.lazuli.conformance.wire.WireAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Conversations from {@code transcripts/*.http}, one case for each exchange. With the system
 * property {@code transcripts.record} set to a folder they are written there as they went.
 */
@Covers(Area.OPERATIONS)
class TranscriptConformanceTest {

  @TestFactory
  @Documented("table-rest 13")
  Stream<DynamicTest> workedExamples() {
    return exchanges("worked-examples.http");
  }

  @TestFactory
  @Documented("table-rest 12")
  Stream<DynamicTest> otherClients() {
    return exchanges("other-clients.http");
  }

  private static Stream<DynamicTest> exchanges(String file) {
    Transcript transcript = Transcript.parse(read(file));
    TranscriptPlayer player = new TranscriptPlayer(ScratchTable.named(ScratchTable.freshName()));
    List<Transcript.Exchange> recorded = new ArrayList<>();
    return transcript.exchanges().stream()
        .map(
            exchange ->
                DynamicTest.dynamicTest(
                    exchange.title(),
                    () -> {
                      WireAnswer answer = player.play(exchange);
                      List<String> differences = player.differences(exchange, answer);
                      recorded.add(player.recorded(exchange, answer));
                      if (recorded.size() == transcript.exchanges().size()) {
                        record(file, new Transcript(recorded));
                      }
                      assertThat(differences).as("%s", answer).isEmpty();
                    }));
  }

  private static String read(String file) {
    try (InputStream in =
        TranscriptConformanceTest.class.getResourceAsStream("/transcripts/" + file)) {
      if (in == null) {
        throw new IllegalStateException("no transcript " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void record(String file, Transcript transcript) throws IOException {
    @Nullable String folder = System.getProperty("transcripts.record");
    if (folder != null) {
      Files.writeString(Path.of(folder, file), transcript.text());
    }
  }
}
