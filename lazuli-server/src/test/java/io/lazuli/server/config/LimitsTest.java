package io.lazuli.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.lazuli.storage.EngineConfig;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the tables of docs/limits.md with the code. */
class LimitsTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| [^|]+ \\| ([^|]+) \\| [^|]+ \\| `(\\w+\\.\\w+)` \\|$");
  private static final Map<String, String> BY_MACHINE =
      Map.of(
          "Limits.HELD_ANSWER_BYTES_MAX", "an eighth of the heap, at least 32 MiB",
          "MemoryPlan.pageBytesMax", "1/16 of the heap",
          "Limits.WORKER_THREADS", "2 per core, at least 8",
          "Limits.CONTENT_THREADS", "2 per core, at least 8",
          "Limits.LISTING_THREADS", "1 per 2 cores, at least 1",
          "Limits.SCAN_THREADS", "1 per 2 cores, at least 1");

  private final Map<String, List<Class<?>>> classes = classes();

  @Test
  void theDocumentNamesTheValuesInForce() throws Exception {
    Map<String, String> told = told();
    Map<String, String> inForce = new LinkedHashMap<>();
    for (String name : told.keySet()) {
      inForce.put(name, BY_MACHINE.containsKey(name) ? BY_MACHINE.get(name) : text(name));
    }
    assertThat(told).hasSizeGreaterThan(30).isEqualTo(inForce);
  }

  @Test
  void everyBoundOfTheServerIsInTheDocument() throws IOException {
    assertThat(told().keySet())
        .containsAll(
            Arrays.stream(Limits.class.getDeclaredFields())
                .filter(field -> Modifier.isPublic(field.getModifiers()))
                .map(field -> "Limits." + field.getName())
                .toList());
  }

  private static Map<String, String> told() throws IOException {
    Map<String, String> told = new LinkedHashMap<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "limits.md")));
    while (row.find()) {
      told.put(row.group(2), row.group(1));
    }
    return told;
  }

  private String text(String name) throws ReflectiveOperationException {
    String[] parts = name.split("\\.", -1);
    return text(parts[1].toLowerCase(Locale.ROOT), value(parts[0], parts[1]));
  }

  private Object value(String type, String member) throws ReflectiveOperationException {
    if (type.equals("EngineConfig")) {
      return EngineConfig.class.getMethod(member).invoke(EngineConfig.of(Path.of("unused")));
    }
    Field field =
        classes.get(type).stream()
            .flatMap(named -> Arrays.stream(named.getDeclaredFields()))
            .filter(declared -> declared.getName().equals(member))
            .findFirst()
            .orElseThrow(() -> new NoSuchFieldException(type + "." + member));
    field.setAccessible(true);
    return field.get(null);
  }

  private static String text(String name, Object value) {
    if (value instanceof Duration time) {
      long seconds = time.toSeconds();
      return seconds > 60 ? time.toMinutes() + " min" : seconds + " s";
    }
    long number = ((Number) value).longValue();
    if (!name.contains("bytes")) {
      return String.format(Locale.ROOT, "%,d", number);
    }
    return number % (1 << 20) == 0 ? (number >> 20) + " MiB" : (number >> 10) + " KiB";
  }

  /** Returns classes by simple name. The services have classes of the same names. */
  private static Map<String, List<Class<?>>> classes() {
    Map<String, List<Class<?>>> classes = new TreeMap<>();
    for (JavaClass type : new ClassFileImporter().importPackages("io.lazuli.server")) {
      if (type.isTopLevelClass()) {
        classes
            .computeIfAbsent(type.getSimpleName(), name -> new ArrayList<>())
            .add(type.reflect());
      }
    }
    return classes;
  }
}
