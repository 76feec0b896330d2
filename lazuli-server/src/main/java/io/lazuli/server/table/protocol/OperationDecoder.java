package io.lazuli.server.table.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.protocol.ResourcePath.EntityEntry;
import io.lazuli.server.table.protocol.ResourcePath.PartitionCollection;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.query.Operator;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.TableOperation;
import io.lazuli.server.table.service.TableOperation.CreateTable;
import io.lazuli.server.table.service.TableOperation.DeleteTable;
import io.lazuli.server.table.service.TableOperation.FindEntity;
import io.lazuli.server.table.service.TableOperation.FindTable;
import io.lazuli.server.table.service.TableOperation.QueryEntities;
import io.lazuli.server.table.service.TableOperation.QueryTables;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes requests into operations. The layers below see only operations, never the text of a
 * request.
 */
final class OperationDecoder {
  private static final int TOP_MAX = 1000;

  private static final List<String> UNSUPPORTED_OPTIONS =
      List.of("$orderby", "$skip", "$skiptoken", "$expand", "$inlinecount", "$count");

  private OperationDecoder() {}

  /** Queries check their options, then the table's name, then the format (table-rest 14). */
  static TableOperation queryTables(TableRequest request) {
    checkOptions(request);
    int top = top(request);
    Filter filter = ODataFilterParser.parseForTables(text(request, "$filter"));
    String token = request.query().first("NextTableName");
    String from = token == null ? "" : ContinuationToken.decode(token);
    request.level();
    return new QueryTables(filter, top, from);
  }

  static TableOperation createTable(TableRequest request) {
    MediaTypes.checkBody(request.first("Content-Type"));
    request.level();
    return new CreateTable(TableName.require(EntityParser.tableName(request.body())));
  }

  static TableOperation findTable(TableRequest request) {
    request.level();
    return new FindTable(table(request));
  }

  static TableOperation deleteTable(TableRequest request) {
    return new DeleteTable(table(request));
  }

  private static TableName table(TableRequest request) {
    return TableName.of(request.path().table());
  }

  static TableOperation queryEntities(TableRequest request) {
    checkOptions(request);
    int top = top(request);
    Filter filter = ODataFilterParser.parse(text(request, "$filter"));
    EntityKey from = from(request);
    TableName table = table(request);
    request.level();
    Filter partition =
        request.path() instanceof PartitionCollection path
            ? new Filter.Comparison(
                "PartitionKey", Operator.EQ, new StringValue(path.partitionKey()))
            : Filter.ALL;
    return new QueryEntities(table, Filter.and(List.of(partition, filter)), top, from);
  }

  static TableOperation insert(TableRequest request) {
    TableName table = table(request);
    MediaTypes.checkBody(request.first("Content-Type"));
    request.level();
    EntityBody body = EntityParser.parse(request.body());
    String partitionKey = body.partitionKey();
    String rowKey = body.rowKey();
    if (partitionKey == null || rowKey == null) {
      throw TableErrors.PROPERTIES_NEED_VALUE.exception();
    }
    EntityLimits.checkBodyKey("PartitionKey", partitionKey);
    EntityLimits.checkBodyKey("RowKey", rowKey);
    return write(
        table, new EntityWrite.Insert(new EntityKey(partitionKey, rowKey), body.properties()));
  }

  static TableOperation replace(TableRequest request) {
    EntityEntry entry = entry(request);
    TableName table = requireNames(entry);
    EntityBody body = body(request);
    IfMatch condition = request.condition();
    return write(table, new EntityWrite.Replace(entry.key(), body.properties(), condition));
  }

  static TableOperation merge(TableRequest request) {
    EntityEntry entry = entry(request);
    TableName table = requireNames(entry);
    EntityBody body = body(request);
    IfMatch condition = request.condition();
    return write(table, new EntityWrite.Merge(entry.key(), body.properties(), condition));
  }

  static TableOperation delete(TableRequest request) {
    EntityEntry entry = entry(request);
    TableName table = requireNames(entry);
    return write(table, new EntityWrite.Delete(entry.key(), deleteCondition(request)));
  }

  static TableOperation findEntity(TableRequest request) {
    EntityEntry entry = entry(request);
    checkOptions(request);
    Filter filter = ODataFilterParser.parse(text(request, "$filter"));
    TableName table = requireNames(entry);
    request.level();
    return new FindEntity(table, entry.key(), filter);
  }

  private static EntityEntry entry(TableRequest request) {
    return (EntityEntry) request.path();
  }

  private static TableName requireNames(EntityEntry entry) {
    TableName table = TableName.of(entry.table());
    checkKey(entry.key());
    return table;
  }

  private static void checkKey(EntityKey key) {
    EntityLimits.checkPathKey(key.partitionKey());
    EntityLimits.checkPathKey(key.rowKey());
  }

  /** Reads an entity whose keys are in the URL; keys in the body are ignored (table-rest 4.4). */
  private static EntityBody body(TableRequest request) {
    MediaTypes.checkBody(request.first("Content-Type"));
    return EntityParser.parse(request.body());
  }

  private static IfMatch deleteCondition(TableRequest request) {
    IfMatch condition = request.condition();
    if (!condition.present()) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    return condition;
  }

  private static WriteEntities write(TableName table, EntityWrite write) {
    return new WriteEntities(table, List.of(write));
  }

  private static void checkOptions(TableRequest request) {
    for (String option : UNSUPPORTED_OPTIONS) {
      if (request.query().first(option) != null) {
        throw CommonErrors.NOT_IMPLEMENTED.exception();
      }
    }
  }

  private static int top(TableRequest request) {
    String text = request.query().first("$top");
    if (text == null) {
      return TOP_MAX;
    }
    try {
      int top = Integer.parseInt(text.strip());
      if (top >= 0 && top <= TOP_MAX) {
        return top;
      }
    } catch (NumberFormatException e) {
      throw invalidTop();
    }
    throw invalidTop();
  }

  private static ServiceException invalidTop() {
    return TableErrors.INVALID_INPUT.exception();
  }

  private static @Nullable EntityKey from(TableRequest request) {
    String partition = request.query().first("NextPartitionKey");
    if (partition == null) {
      return null;
    }
    String row = request.query().first("NextRowKey");
    return new EntityKey(
        ContinuationToken.decode(partition), row == null ? "" : ContinuationToken.decode(row));
  }

  private static String text(TableRequest request, String option) {
    String value = request.query().first(option);
    return value == null ? "" : value;
  }
}
