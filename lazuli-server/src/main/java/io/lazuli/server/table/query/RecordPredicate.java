package io.lazuli.server.table.query;

import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.model.SystemProperties;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.BooleanProperty;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Constant;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentRecord;
import java.util.List;

/**
 * A filter that is compiled to run over the bytes of records. It is the inner loop of every scan:
 * names and literals are encoded once, and nothing is allocated for a record. Mutable, so each scan
 * needs its own object.
 */
public final class RecordPredicate {
  /** A compiled condition. */
  @FunctionalInterface
  private interface Condition {
    boolean holds(RecordView view);
  }

  private final RecordView view;
  private final Condition root;
  private final boolean always;

  private RecordPredicate(RecordView view, Condition root, boolean always) {
    this.view = view;
    this.root = root;
    this.always = always;
  }

  public static RecordPredicate of(Filter filter) {
    RecordView.Names names = new RecordView.Names();
    Condition root = compile(filter, names);
    return new RecordPredicate(names.view(), root, filter.equals(Filter.ALL));
  }

  /** Returns true if the entity matches. Uses the record only during the call. */
  public boolean test(LentRecord record) {
    if (always) {
      return true;
    }
    view.show(record);
    return root.holds(view);
  }

  /**
   * Returns true if a comparison holds between two constants; the left constant takes the role of a
   * property.
   */
  public static boolean holds(EdmValue left, Operator operator, EdmValue right) {
    byte[] bytes = EntityCodec.encode(List.of(new Property("x", left)));
    LentRecord record = new LentRecord();
    record.value().lend(bytes, 0, bytes.length);
    return of(new Comparison("x", operator, right)).test(record);
  }

  private static Condition compile(Filter filter, RecordView.Names names) {
    if (filter instanceof And and) {
      return all(conditions(and.operands(), names));
    } else if (filter instanceof Or or) {
      return any(conditions(or.operands(), names));
    } else if (filter instanceof Not not) {
      Condition operand = compile(not.operand(), names);
      return view -> !operand.holds(view);
    } else if (filter instanceof Comparison comparison) {
      return comparison(comparison, names);
    } else if (filter instanceof BooleanProperty bool) {
      return booleanProperty(bool.name(), names);
    }
    boolean value = ((Constant) filter).value();
    return view -> value;
  }

  private static Condition[] conditions(List<Filter> operands, RecordView.Names names) {
    return operands.stream().map(each -> compile(each, names)).toArray(Condition[]::new);
  }

  private static Condition all(Condition[] operands) {
    return view -> {
      for (Condition operand : operands) {
        if (!operand.holds(view)) {
          return false;
        }
      }
      return true;
    };
  }

  private static Condition any(Condition[] operands) {
    return view -> {
      for (Condition operand : operands) {
        if (operand.holds(view)) {
          return true;
        }
      }
      return false;
    };
  }

  private static Condition comparison(Comparison filter, RecordView.Names names) {
    LiteralComparison literal = new LiteralComparison(filter.operator(), filter.literal());
    if (SystemProperties.isKey(filter.property())) {
      return keyComparison(filter);
    }
    if (filter.property().equals(SystemProperties.TIMESTAMP)) {
      return view -> literal.holdsForTicks(view.ticks());
    }
    int number = names.number(filter.property());
    return view -> view.find(number) && literal.holds(view.cursor());
  }

  private static Condition keyComparison(Comparison filter) {
    Operator operator = filter.operator();
    if (!(filter.literal() instanceof StringValue string)) {
      boolean value = operator.holdsOnMismatch();
      return view -> value;
    }
    Bytes key = Bytes.of(Utf8.encodeKey(string.value()));
    return filter.property().equals(SystemProperties.PARTITION_KEY)
        ? view -> operator.accepts(view.partition().compareTo(key))
        : view -> operator.accepts(view.row().compareTo(key));
  }

  private static Condition booleanProperty(String name, RecordView.Names names) {
    if (SystemProperties.type(name) != null) {
      return view -> false;
    }
    int number = names.number(name);
    return view ->
        view.find(number)
            && view.cursor().tag() == EdmType.BOOLEAN.tag()
            && view.cursor().booleanValue();
  }
}
