package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** Checks that the option log-format = json yields one JSON object per event. */
class JsonLogTest {
  private static final String MESSAGE = "a \"quoted\" text\nof two lines \u0001 \u2028 {}";

  @TempDir private Path folder;

  @Test
  void everyEventIsOneJsonObjectInOneLine() throws Exception {
    Path file = folder.resolve("log");
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.putProperty("lazuli.log.file", file.toString());
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(getClass().getResource("logback-json-file.xml"));
    Logger log = context.getLogger("io.lazuli.test");
    log.info(MESSAGE, "argument");
    log.info("failed", new IllegalStateException("outer\n\"x\"", new IOException("inner")));
    context.stop();
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(2);
    assertThat(texts(lines.get(0)))
        .contains("INFO", "io.lazuli.test", MESSAGE.replace("{}", "argument"));
    assertThat(texts(lines.get(1)))
        .contains("failed", "outer\n\"x\"", "inner", IOException.class.getName());
  }

  /** Parses one object and returns the texts in it. */
  private static List<String> texts(String line) throws IOException {
    List<String> texts = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(line)) {
      assertThat(json.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      for (int depth = 1; depth > 0; ) {
        JsonToken token = json.nextToken();
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (token == JsonToken.VALUE_STRING) {
          texts.add(json.getText());
        }
      }
      assertThat(json.nextToken()).isNull();
    }
    return texts;
  }
}
