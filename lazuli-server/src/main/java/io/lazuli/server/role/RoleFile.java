package io.lazuli.server.role;

import io.lazuli.server.watch.OwnerFile;
import java.nio.file.Path;

/** The file of role assignments. Anybody who can write it can get access to all accounts. */
public final class RoleFile extends OwnerFile<RoleSet> {
  public RoleFile(Path path) {
    super("roles", path, RoleSet.EMPTY, RoleFileText::parse, RoleFileText::write);
  }

  /** Returns the file at its default location in the data folder. */
  public static RoleFile inside(Path dataFolder) {
    return new RoleFile(dataFolder.resolve("roles"));
  }
}
