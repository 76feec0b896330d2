package io.lazuli.server.design;

import io.lazuli.server.design.Access.Verb;
import io.lazuli.server.design.AccessPlan.Kind;
import io.lazuli.server.design.KeyPart.Form;
import io.lazuli.server.design.Path.Placement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the keys of one type of entities. It tries partition keys of one or two properties that
 * accesses give values for, and row keys in the order in which these accesses need them; with and
 * without copies for the accesses that the keys do not serve.
 */
final class KeyChoice {
  private static final int PROPERTIES_MAX = 8;

  /** The bytes of keys that one entity can list (docs/patterns/indexlist.md). */
  private static final double LIST_BYTES_MAX = 983_040;

  /** The length of a list up to which it is used although entities change often. */
  private static final double LIST_MAX = 1_000;

  /** Which copies may be used. */
  private enum Copies {
    NONE,
    HERE,
    ACROSS
  }

  /** Which keys are asked for. */
  enum Wish {
    /** The cheapest. */
    BEST,
    /** The cheapest without copies. */
    NO_COPIES,
    /** Each entity is a partition. */
    OWN_PARTITION,
    /** A partition for each day. */
    BY_DAY
  }

  private static final Keys NO_KEYS = new Keys(List.of(), List.of());

  private final Layout layout;
  private final EntityType entity;
  private final boolean shared;

  /**
   * @param shared true if entities of other types are in the same partitions
   */
  KeyChoice(Layout layout, boolean shared) {
    this.layout = layout;
    this.entity = layout.entity();
    this.shared = shared;
  }

  /**
   * Returns the best keys.
   *
   * @param partition the properties of the partition key; null for any
   * @param not properties that must not be the partition key; null for none
   * @return null if there are none
   */
  @Nullable Candidate best(Wish wish, @Nullable Set<String> partition, @Nullable Set<String> not) {
    if (layout.storage() == Storage.LOG) {
      return Candidate.of(layout, NO_KEYS, List.of(), Plans.all(layout, NO_KEYS));
    }
    Candidate best = null;
    for (Set<String> set : partitions(wish, partition)) {
      if (set.equals(not)) {
        continue;
      }
      for (List<KeyPart> row : rows(wish, set)) {
        for (Copies copies : Copies.values()) {
          if (copies != Copies.NONE && !mayCopy(wish)) {
            continue;
          }
          Candidate next = candidate(partitionParts(wish, set), row, copies);
          if (best == null || next.beats(best)) {
            best = next;
          }
        }
      }
    }
    return best;
  }

  private boolean mayCopy(Wish wish) {
    return wish == Wish.BEST && layout.storage() == Storage.PLAIN;
  }

  private List<Set<String>> partitions(Wish wish, @Nullable Set<String> given) {
    if (given != null) {
      return List.of(given);
    }
    if (wish == Wish.OWN_PARTITION) {
      return List.of(new LinkedHashSet<>(entity.key()));
    }
    Property time = entity.time();
    if (wish == Wish.BY_DAY) {
      return time == null ? List.of() : List.of(Set.of(time.name()));
    }
    Set<String> changing = changing();
    Set<String> named = new LinkedHashSet<>();
    for (Access access : layout.accesses()) {
      named.addAll(access.by());
    }
    named.removeAll(changing);
    List<String> properties = named.stream().limit(PROPERTIES_MAX).toList();
    Set<Set<String>> sets = new LinkedHashSet<>();
    for (String property : properties) {
      sets.add(new LinkedHashSet<>(List.of(property)));
    }
    for (String first : properties) {
      for (String second : properties) {
        if (!first.equals(second) && areGivenTogether(first, second)) {
          sets.add(new LinkedHashSet<>(List.of(first, second)));
        }
      }
    }
    sets.add(new LinkedHashSet<>(entity.key()));
    return List.copyOf(sets);
  }

  private boolean areGivenTogether(String first, String second) {
    return layout.accesses().stream()
        .anyMatch(
            access ->
                access.by().contains(first)
                    && access.by().indexOf(second) > access.by().indexOf(first));
  }

  /** Returns the properties that updates change. They do not belong in a key. */
  private Set<String> changing() {
    Set<String> names = new LinkedHashSet<>();
    layout.accesses().forEach(access -> names.addAll(access.changes()));
    names.removeAll(entity.key());
    return names;
  }

  private List<KeyPart> partitionParts(Wish wish, Set<String> set) {
    return set.stream()
        .map(
            name ->
                wish == Wish.BY_DAY
                    ? new KeyPart(Form.DAY, name, 0)
                    : KeyPart.of(entity, name, false))
        .toList();
  }

  private Set<List<KeyPart>> rows(Wish wish, Set<String> partition) {
    Set<List<KeyPart>> rows = new LinkedHashSet<>();
    if (wish == Wish.BY_DAY) {
      List<KeyPart> row = new ArrayList<>();
      row.add(KeyPart.of(entity, partition.iterator().next(), false));
      identify(row, partition);
      rows.add(row);
      return rows;
    }
    List<KeyPart> plain = new ArrayList<>();
    identify(plain, partition);
    rows.add(plain);
    Set<String> changing = changing();
    for (Access access : layout.accesses()) {
      if (access.by().containsAll(partition)) {
        List<KeyPart> row = row(access, partition);
        if (row.stream().noneMatch(part -> changing.contains(part.name()))) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  /** Returns the row key that an access needs: given values, then the range or the order. */
  private List<KeyPart> row(Access access, Set<String> partition) {
    List<KeyPart> row = new ArrayList<>();
    for (String name : access.by()) {
      if (!partition.contains(name)) {
        row.add(KeyPart.of(entity, name, false));
      }
    }
    String range = access.range();
    String order = access.order();
    String next = range == null ? order : range;
    if (next != null && !partition.contains(next) && !access.by().contains(next)) {
      row.add(KeyPart.of(entity, next, next.equals(order) && access.descending()));
    }
    identify(row, partition);
    return row;
  }

  /** Adds what is missing until no two entities have the same keys. */
  private void identify(List<KeyPart> row, Set<String> partition) {
    Set<String> named = Keys.properties(row);
    named.addAll(partition);
    if (named.stream().anyMatch(entity::isUnique)) {
      return;
    }
    for (String name : entity.key()) {
      if (named.add(name)) {
        row.add(KeyPart.of(entity, name, isNewestFirst()));
      }
    }
  }

  private boolean isNewestFirst() {
    return layout.accesses().stream().anyMatch(access -> access.descending());
  }

  private Candidate candidate(List<KeyPart> partition, List<KeyPart> row, Copies copies) {
    Keys bare = new Keys(partition, row);
    Keys keys = shared ? bare.withRowPrefix(word(row)) : bare;
    List<AccessPlan> plans = Plans.all(layout, keys);
    if (copies == Copies.NONE) {
      return Candidate.of(layout, keys, List.of(), plans);
    }
    List<Path> paths = new ArrayList<>();
    List<AccessPlan> unserved =
        plans.stream()
            .filter(plan -> plan.access().verb().reads() && !Plans.isServed(plan))
            .filter(plan -> canCopy(bare, plan.access(), copies))
            .toList();
    boolean lists = unserved.stream().allMatch(plan -> isList(plan.access()));
    Set<String> words = new LinkedHashSet<>(List.of(word(row)));
    for (AccessPlan plan : unserved) {
      Path path = path(bare, plan.access(), copies, lists, words);
      if (!isServed(plan.access(), paths) && isWorthwhile(plan, path)) {
        paths.add(path);
        words.add(path.name());
      }
    }
    if (paths.isEmpty()) {
      return Candidate.of(layout, keys, List.of(), plans);
    }
    Keys prefixed = prefixed(keys, bare, paths, row);
    return Candidate.of(layout, prefixed, paths, planned(prefixed, paths));
  }

  private boolean isServed(Access access, List<Path> paths) {
    return paths.stream()
        .anyMatch(
            path ->
                path.placement().isList()
                    ? isList(access) && covers(path, access)
                    : Plans.isServed(through(access, path, 0)));
  }

  /** Returns the word that tells rows of this type from others. */
  private String word(List<KeyPart> row) {
    return row.isEmpty() ? Names.prefix(entity.name()) : Names.prefix(row.get(0).name());
  }

  private Keys prefixed(Keys keys, Keys bare, List<Path> paths, List<KeyPart> row) {
    if (paths.get(0).placement().isHere()) {
      return shared || paths.get(0).placement().isList() ? keys : keys.withRowPrefix(word(row));
    }
    boolean samePartition =
        paths.stream()
            .allMatch(
                path ->
                    path.keys().partitionProperties().equals(bare.partitionProperties())
                        && !path.placement().isList());
    return samePartition && !shared ? keys.withPartitionPrefix(word(row)) : keys;
  }

  private static boolean canCopy(Keys keys, Access access, Copies copies) {
    return !access.by().isEmpty()
        && (copies == Copies.ACROSS || access.by().containsAll(keys.partitionProperties()));
  }

  private boolean isList(Access access) {
    return access.verb() == Verb.LIST
        && access.range() == null
        && access.order() == null
        && access.limit() == 0
        && access.by().stream().noneMatch(entity::isUnique);
  }

  private Path path(Keys keys, Access access, Copies copies, boolean lists, Set<String> taken) {
    Set<String> partition = keys.partitionProperties();
    List<String> rest = access.by().stream().filter(name -> !partition.contains(name)).toList();
    boolean within = access.by().containsAll(partition);
    String first = first(access, within ? rest : List.of());
    String word = free(Names.prefix(first), taken);
    boolean list = copies == Copies.HERE ? lists : isList(access);
    if (list && isShortEnough(access)) {
      return list(keys, access, copies, word, rest);
    }
    if (copies == Copies.HERE) {
      return new Path(
          word,
          Placement.ROWS,
          new Keys(keys.partition(), row(access, partition)).withRowPrefix(word));
    }
    if (within) {
      Keys same = new Keys(keys.partition(), row(access, partition));
      return new Path(word, Placement.PARTITIONS, same.withPartitionPrefix(word));
    }
    Set<String> given = new LinkedHashSet<>(access.by());
    List<KeyPart> values = given.stream().map(name -> KeyPart.of(entity, name, false)).toList();
    List<KeyPart> row = row(access, given);
    Keys own = new Keys(values, row.isEmpty() ? List.of() : row).withPartitionPrefix(word);
    return new Path(
        word,
        Placement.PARTITIONS,
        row.isEmpty() ? own.withRowPrefix(Names.prefix(entity.name())) : own);
  }

  /** Returns a word that no other kind of row begins with. */
  private static String free(String word, Set<String> taken) {
    String free = word;
    for (int i = 2; taken.contains(free); i++) {
      free = word + i;
    }
    return free;
  }

  private static String first(Access access, List<String> rest) {
    String range = access.range();
    String order = access.order();
    if (!rest.isEmpty()) {
      return rest.get(0);
    }
    return range != null ? range : order != null ? order : access.by().get(0);
  }

  private Path list(Keys keys, Access access, Copies copies, String word, List<String> rest) {
    List<KeyPart> values = rest.stream().map(name -> KeyPart.of(entity, name, false)).toList();
    double bytes = entity.sharing(access.by()) * keyBytes();
    if (copies == Copies.HERE && bytes <= LIST_BYTES_MAX) {
      return new Path(
          word, Placement.LIST_ROWS, new Keys(keys.partition(), values).withRowPrefix(word));
    }
    boolean within = access.by().containsAll(keys.partitionProperties());
    List<KeyPart> place = within ? keys.partition() : List.of();
    List<KeyPart> row =
        within ? values : access.by().stream().map(n -> KeyPart.of(entity, n, false)).toList();
    return new Path(
        word,
        bytes <= LIST_BYTES_MAX ? Placement.LIST_PARTITION : Placement.LIST_BLOBS,
        new Keys(place, row).withPartitionPrefix(word));
  }

  private double keyBytes() {
    double sum = 0;
    for (String name : entity.key()) {
      Property property = entity.property(name);
      sum +=
          property.type() == Type.STRING
              ? property.bytes()
              : KeyPart.of(entity, name, true).digits();
    }
    return Math.max(6, sum);
  }

  private boolean isShortEnough(Access access) {
    return entity.sharing(access.by()) <= LIST_MAX || writes() <= 1;
  }

  private double writes() {
    return Layout.rate(layout.accesses(), Verb.INSERT, Verb.UPDATE, Verb.DELETE, Verb.ARCHIVE);
  }

  /** Returns whether a path saves reads more than it costs writes. */
  private boolean isWorthwhile(AccessPlan scan, Path path) {
    AccessPlan through = through(scan.access(), path, 0);
    double saved = scan.access().perSecond() * (scan.cost() - through.cost());
    double added = 0;
    for (Access access : layout.accesses()) {
      if (!access.verb().reads() && access.olderDays() == 0) {
        double without = Plans.write(layout, NO_KEYS, List.of(), access).cost();
        double with = Plans.write(layout, NO_KEYS, List.of(path), access).cost();
        added += access.perSecond() * (with - without);
      }
    }
    return saved > added;
  }

  private AccessPlan through(Access access, Path path, int number) {
    return path.placement().isList()
        ? Plans.byList(layout, access, number)
        : Plans.query(layout, path.keys(), access, number);
  }

  /** Plans every access on the keys or on the path that costs least. */
  private List<AccessPlan> planned(Keys keys, List<Path> paths) {
    List<AccessPlan> plans = new ArrayList<>();
    for (Access access : layout.accesses()) {
      if (!access.verb().reads()) {
        plans.add(Plans.write(layout, keys, paths, access));
        continue;
      }
      AccessPlan best = Plans.query(layout, keys, access, -1);
      for (int i = 0; i < paths.size(); i++) {
        boolean fits =
            !paths.get(i).placement().isList() || (isList(access) && covers(paths.get(i), access));
        if (fits) {
          AccessPlan other = through(access, paths.get(i), i);
          best = other.cost() < best.cost() ? other : best;
        }
      }
      plans.add(best);
    }
    return plans;
  }

  private static boolean covers(Path path, Access access) {
    Set<String> named = Keys.properties(path.keys().row());
    named.addAll(path.keys().partitionProperties());
    return named.equals(Set.copyOf(access.by()));
  }

  static boolean isScan(AccessPlan plan) {
    return plan.kind() == Kind.TABLE_SCAN
        || (plan.kind() == Kind.PARTITION_SCAN && plan.isWasteful());
  }
}
