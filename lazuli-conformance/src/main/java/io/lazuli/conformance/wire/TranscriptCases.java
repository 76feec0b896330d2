package io.lazuli.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

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

/**
 * Turns the exchanges of a file in {@code transcripts} into cases. If the system property {@code
 * transcripts.record} names a folder, the actual exchanges are written there.
 */
public final class TranscriptCases {

  private TranscriptCases() {}

  public static Stream<DynamicTest> of(String file, TranscriptPlayer player) {
    Transcript transcript = Transcript.parse(read(file));
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
    try (InputStream in = TranscriptCases.class.getResourceAsStream("/transcripts/" + file)) {
      if (in == null) {
        throw new IllegalStateException("there is no transcript " + file);
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
