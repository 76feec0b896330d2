package io.lazuli.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.memory.InMemoryEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pieces of a walk over names, whose time is over or not. */
class NameWalkTest {
  private static final String[] ALL = {
    "begin acme", "acme/a", "acme/b", "acme/c", "begin zoo", "zoo/a", "zoo/b"
  };

  private final InMemoryEngine engine = new InMemoryEngine(EngineConfig.of(Path.of("unused")));
  private final Catalog catalog = new Catalog(engine);
  private final List<String> visited = new ArrayList<>();
  private String failing = "";

  private final NameWalk.Visitor visitor =
      new NameWalk.Visitor() {
        @Override
        public void begin(ServiceHome home) {
          visited.add("begin " + home.account());
        }

        @Override
        public @Nullable Bytes visit(ServiceHome home, String name, Bytes from, Deadline until) {
          String both = home.account() + "/" + name;
          if (both.equals(failing)) {
            throw new IllegalStateException("busy");
          }
          visited.add(both);
          return null;
        }
      };

  @BeforeEach
  void create() {
    for (String name : List.of("acme/a", "acme/b", "acme/c", "zoo/a", "zoo/b")) {
      String[] parts = name.split("/", -1);
      ServiceHome home = ServiceHome.ofQueues(parts[0]);
      assertThat(catalog.create(home, parts[1], parts[1], Deadline.NEVER).join()).isTrue();
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private NameWalk walk(Duration pieceTime) {
    return new NameWalk(catalog, SpaceKind.QUEUE, pieceTime);
  }

  private @Nullable Bytes piece(NameWalk walk, Bytes from) {
    return walk.piece(from, 100, Deadline.NEVER, visitor);
  }

  @Test
  void aPieceVisitsAllNamesIfItHasTheTime() {
    assertThat(piece(walk(Duration.ofDays(1)), Bytes.EMPTY)).isNull();
    assertThat(visited).containsExactly(ALL);
  }

  @Test
  void aPieceWhoseTimeIsOverEndsAfterAName() {
    NameWalk walk = walk(Duration.ZERO);
    Bytes next = Bytes.EMPTY;
    while (next != null) {
      int before = visited.size();
      next = piece(walk, next);
      assertThat(visited.stream().skip(before).filter(line -> line.contains("/")))
          .hasSizeLessThanOrEqualTo(1);
    }
    assertThat(visited).containsExactly(ALL);
  }

  @Test
  void aNameThatFailsCostsOnlyItsOwnPiece() {
    NameWalk walk = walk(Duration.ZERO);
    Bytes at = Bytes.EMPTY;
    for (int i = 0; i < 2; i++) {
      Bytes next = piece(walk, at);
      assertThat(next).isNotNull();
      at = next == null ? at : next;
    }
    failing = "acme/c";
    Bytes third = at;
    assertThatThrownBy(() -> piece(walk, third)).hasMessage("busy");
    failing = "";
    for (Bytes next = third; next != null; ) {
      next = piece(walk, next);
    }
    assertThat(visited).containsExactly(ALL);
  }
}
