package io.lazuli.server.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The configuration file: lines {@code key = value} in UTF-8, empty lines, and comments that begin
 * with {@code #}. There are no escapes, so that Windows paths can be written unchanged.
 */
final class ConfigFile {
  private static final long BYTES_MAX = 1 << 20;

  private ConfigFile() {}

  /**
   * Returns the settings of the file, by key.
   *
   * @param refused keys that must not be set in this file
   * @throws ConfigException if the file cannot be read or contains an unknown key
   */
  static Map<String, Given> read(Path file, Set<String> refused) {
    Map<String, Given> given = new LinkedHashMap<>();
    int number = 0;
    for (String line : lines(file)) {
      number++;
      String text = line.strip();
      if (!text.isEmpty() && !text.startsWith("#")) {
        add(given, text, file + ":" + number, refused);
      }
    }
    return given;
  }

  private static void add(
      Map<String, Given> given, String line, String place, Set<String> refused) {
    int sign = line.indexOf('=');
    if (sign < 0) {
      throw new ConfigException(place + ": a line must have the form key = value");
    }
    String key = line.substring(0, sign).strip();
    if (refused.contains(key)) {
      throw new ConfigException(
          place + ": " + key + " cannot be set in this file, because it decides where the file is");
    }
    if (Settings.find(key) == null) {
      throw new ConfigException(
          place + ": unknown key " + key + Nearest.hint(key, Settings.keys()));
    }
    Given value = new Given(line.substring(sign + 1).strip(), place);
    if (given.put(key, value) != null) {
      throw new ConfigException(place + ": " + key + " is set twice");
    }
  }

  private static List<String> lines(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new ConfigException(file + " is too large for a configuration file");
      }
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new ConfigException("there is no configuration file " + file);
    } catch (CharacterCodingException e) {
      throw new ConfigException("the configuration file " + file + " is not UTF-8");
    } catch (IOException e) {
      throw new ConfigException("cannot read the configuration file " + file + ": " + e);
    }
  }
}
