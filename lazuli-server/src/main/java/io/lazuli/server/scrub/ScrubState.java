package io.lazuli.server.scrub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the scrub remembers over a restart.
 *
 * @param paused true if an operator has paused it
 * @param position where the current round continues; null between two rounds
 * @param since when the current round began, or when the server began to wait for the first one
 * @param completed when the last complete round ended; null if there was none
 * @param known lines about the damage that the last complete round found
 * @param found lines about the damage that the current round has found
 */
record ScrubState(
    boolean paused,
    @Nullable WalkPosition position,
    Instant since,
    @Nullable Instant completed,
    List<String> known,
    List<String> found) {
  private static final String TITLE = "lazuli scrub 1";

  ScrubState {
    known = List.copyOf(known);
    found = List.copyOf(found);
  }

  static ScrubState first(Instant now) {
    return new ScrubState(false, null, now, null, List.of(), List.of());
  }

  ScrubState withPaused(boolean isPaused) {
    return new ScrubState(isPaused, position, since, completed, known, found);
  }

  /** Returns the state at the beginning of a round. */
  ScrubState begun(Instant now) {
    return new ScrubState(paused, WalkPosition.START, now, completed, known, List.of());
  }

  ScrubState at(WalkPosition newPosition, List<String> foundSoFar) {
    return new ScrubState(paused, newPosition, since, completed, known, foundSoFar);
  }

  /** Returns the state at the end of a round. */
  ScrubState ended(Instant now, List<String> foundInAll) {
    return new ScrubState(paused, null, since, now, foundInAll, List.of());
  }

  /** Reads the file; a file that is missing or cannot be understood is a first state. */
  static ScrubState read(Path file, Instant now) throws IOException {
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      return lines.isEmpty() || !lines.get(0).equals(TITLE) ? first(now) : parse(lines, now);
    } catch (NoSuchFileException e) {
      return first(now);
    }
  }

  private static ScrubState parse(List<String> lines, Instant now) {
    ScrubState state = first(now);
    List<String> known = new ArrayList<>();
    List<String> found = new ArrayList<>();
    boolean paused = false;
    WalkPosition position = null;
    Instant since = state.since();
    Instant completed = null;
    try {
      for (String line : lines.subList(1, lines.size())) {
        int space = line.indexOf(' ');
        String value = line.substring(space + 1);
        switch (line.substring(0, Math.max(0, space))) {
          case "paused" -> paused = Boolean.parseBoolean(value);
          case "position" -> position = WalkPosition.parse(value);
          case "since" -> since = Instant.parse(value);
          case "completed" -> completed = Instant.parse(value);
          case "known" -> known.add(value);
          case "found" -> found.add(value);
          default -> {} // A later version may write more.
        }
      }
    } catch (DateTimeException e) {
      return state;
    }
    return new ScrubState(paused, position, since, completed, known, found);
  }

  /** Replaces the file. After a crash there is either the old one or this one. */
  void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder(TITLE + "\n");
    text.append("paused ").append(paused).append('\n');
    text.append("since ").append(since).append('\n');
    if (position != null) {
      text.append("position ").append(position.text()).append('\n');
    }
    if (completed != null) {
      text.append("completed ").append(completed).append('\n');
    }
    known.forEach(line -> text.append("known ").append(oneLine(line)).append('\n'));
    found.forEach(line -> text.append("found ").append(oneLine(line)).append('\n'));
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String oneLine(String line) {
    return line.replaceAll("\\p{Cntrl}", " ");
  }
}
