package io.lazuli.storage.entity;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;

/**
 * A condition on entities that is compiled to run over the bytes of records. It is the inner loop
 * of every scan, on a server and on a region server: names and literals are decoded once, and
 * nothing is allocated for a record. Mutable, so each scan needs its own object.
 *
 * <p>The encoded form is a tree, each node before its operands. Numbers are big-endian.
 *
 * <table>
 *   <caption>Nodes</caption>
 *   <tr><td>{@code 00}, {@code 01}</td><td>never, always</td></tr>
 *   <tr><td>{@code 02}, {@code 03}</td><td>all of, any of: the number of operands (4), the
 *       operands</td></tr>
 *   <tr><td>{@code 04}</td><td>not: the operand</td></tr>
 *   <tr><td>{@code 05}</td><td>a Boolean property is true: its name</td></tr>
 *   <tr><td>{@code 06}</td><td>compares a property: its name, the comparison</td></tr>
 *   <tr><td>{@code 07}</td><td>compares the timestamp: the comparison</td></tr>
 *   <tr><td>{@code 08}, {@code 09}</td><td>compares PartitionKey, RowKey: the accepted orders (1),
 *       the literal</td></tr>
 * </table>
 *
 * <p>A name or a literal is its length (4) and its bytes. {@link LiteralComparison} describes a
 * comparison.
 */
public final class EntityCondition {
  /** The version of records and of this encoding together. */
  public static final int VERSION = 1;

  public static final int NEVER = 0;
  public static final int ALWAYS = 1;
  public static final int ALL = 2;
  public static final int ANY = 3;
  public static final int NOT = 4;
  public static final int TRUE = 5;
  public static final int PROPERTY = 6;
  public static final int TIMESTAMP = 7;
  public static final int PARTITION_KEY = 8;
  public static final int ROW_KEY = 9;

  /** A compiled node. */
  private interface Node {
    boolean holds(EntityView view);
  }

  private final EntityView view;
  private final Node root;
  private final boolean comparesKeys;

  private EntityCondition(EntityView view, Node root, boolean comparesKeys) {
    this.view = view;
    this.root = root;
    this.comparesKeys = comparesKeys;
  }

  /**
   * Compiles an encoded condition.
   *
   * @throws IllegalArgumentException if the bytes are not a condition of this version
   */
  public static EntityCondition parse(byte[] encoded) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      Compiler compiler = new Compiler(in);
      Node root = compiler.node();
      return new EntityCondition(compiler.names.view(), root, compiler.comparesKeys);
    } catch (IOException e) {
      throw new IllegalArgumentException("the condition ends too early", e);
    }
  }

  /** Returns true if the condition needs the keys of an entity. */
  public boolean comparesKeys() {
    return comparesKeys;
  }

  /** Lends the PartitionKey of the next entity. */
  public void partition(byte[] array, int offset, int length) {
    view.partition.show(array, offset, length);
  }

  /** Lends the RowKey of the next entity. */
  public void row(byte[] array, int offset, int length) {
    view.row.show(array, offset, length);
  }

  /**
   * Returns true if the condition holds for the record of an entity. Uses the bytes only during the
   * call. Throws if it meets damage.
   */
  public boolean test(byte[] array, int offset, int length) {
    view.show(array, offset, length);
    return root.holds(view);
  }

  /** Reads nodes from their encoded form. */
  private static final class Compiler {
    private final DataInputStream in;
    private final EntityView.Names names = new EntityView.Names();
    private boolean comparesKeys;

    Compiler(DataInputStream in) {
      this.in = in;
    }

    Node node() throws IOException {
      int kind = in.readByte();
      switch (kind) {
        case NEVER:
        case ALWAYS:
          return view -> kind == ALWAYS;
        case ALL:
          return all(nodes());
        case ANY:
          return any(nodes());
        case NOT:
          Node operand = node();
          return view -> !operand.holds(view);
        case TRUE:
          return isTrue(names.number(bytes()));
        case PROPERTY:
          return property(names.number(bytes()), LiteralComparison.read(in));
        case TIMESTAMP:
          LiteralComparison literal = LiteralComparison.read(in);
          return view -> literal.holdsForTicks(view.cursor().ticks());
        case PARTITION_KEY:
        case ROW_KEY:
          return key(kind, in.readByte(), bytes());
        default:
          throw new IllegalArgumentException("unknown condition: " + kind);
      }
    }

    private Node[] nodes() throws IOException {
      int count = in.readInt();
      if (count < 0 || count > in.available()) {
        throw new IllegalArgumentException("a condition with " + count + " operands");
      }
      Node[] nodes = new Node[count];
      for (int i = 0; i < count; i++) {
        nodes[i] = node();
      }
      return nodes;
    }

    private Node key(int kind, int orders, byte[] literal) {
      comparesKeys = true;
      return kind == PARTITION_KEY
          ? view -> LiteralComparison.accepts(orders, view.partition.compareTo(literal))
          : view -> LiteralComparison.accepts(orders, view.row.compareTo(literal));
    }

    private byte[] bytes() throws IOException {
      return LiteralComparison.readBytes(in);
    }

    private static Node all(Node[] operands) {
      return view -> {
        for (Node operand : operands) {
          if (!operand.holds(view)) {
            return false;
          }
        }
        return true;
      };
    }

    private static Node any(Node[] operands) {
      return view -> {
        for (Node operand : operands) {
          if (operand.holds(view)) {
            return true;
          }
        }
        return false;
      };
    }

    private static Node isTrue(int name) {
      return view ->
          view.find(name)
              && view.cursor().tag() == LiteralComparison.BOOLEAN
              && view.cursor().booleanValue();
    }

    private static Node property(int name, LiteralComparison literal) {
      return view -> view.find(name) && literal.holds(view.cursor());
    }
  }
}
