package io.lazuli.server.recovery;

import io.lazuli.server.backup.BackupRecord;
import io.lazuli.server.backup.Restore;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.segment.CutNames;
import io.lazuli.storage.segment.SegmentSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The segments of a backup, read from its target, and chunks that were copied into a folder. */
final class BackedUpSegments implements SegmentSource {
  private final Restore restore;
  private final BackupRecord backup;
  private final Path folder;

  BackedUpSegments(Restore restore, BackupRecord backup, Path folder) {
    this.restore = restore;
    this.backup = backup;
    this.folder = folder;
  }

  @Override
  public void forEach(long space, Visitor visitor) throws IOException {
    Set<String> names = new HashSet<>(names(space));
    boolean[] more = {true};
    restore.forEach(
        backup,
        name -> more[0] && names.contains(name),
        (name, content) -> more[0] = visitor.visit(content));
  }

  /**
   * Returns the segments that begin with the space, and the one before them, which may end with it.
   */
  private List<String> names(long space) throws IOException {
    String prefix = CutNames.RECORDS + CutNames.table(SpaceKind.of(space)) + "/";
    List<String> names = new ArrayList<>();
    List<@Nullable String> before = new ArrayList<>();
    before.add(null);
    restore.forEachName(
        backup,
        name -> {
          if (name.startsWith(prefix)) {
            long first = CutNames.space(name);
            if (first < space) {
              before.set(0, name);
            } else if (first == space) {
              names.add(name);
            }
          }
        });
    String last = before.get(0);
    if (last != null) {
      names.add(last);
    }
    return names;
  }

  @Override
  public Path file(ChunkRef chunk) {
    return folder.resolve(CutNames.of(chunk));
  }
}
