package io.lazuli.server.table.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.protocol.ResourcePath.EntityCollection;
import io.lazuli.server.table.protocol.ResourcePath.EntityEntry;
import io.lazuli.server.table.protocol.ResourcePath.PartitionCollection;
import io.lazuli.server.table.protocol.ResourcePath.TableCollection;
import io.lazuli.server.table.protocol.ResourcePath.TableEntry;
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

/** Turns what came over the wire into operations; all text formats of requests end here. */
final class OperationDecoder {
  private static final int TOP_MAX = 1000;

  private static final List<String> UNSUPPORTED_OPTIONS =
      List.of("$orderby", "$skip", "$skiptoken", "$expand", "$inlinecount", "$count");

  private OperationDecoder() {}

  /** Decodes a request that stands alone. */
  static TableOperation decode(TableRequest request) {
    ResourcePath path = request.path();
    if (path instanceof EntityEntry entry) {
      return onEntity(request, entry);
    } else if (path instanceof EntityCollection collection) {
      return onEntities(request, collection.table());
    } else if (path instanceof PartitionCollection partition) {
      return onPartition(request, partition);
    } else if (path instanceof TableCollection) {
      return onTables(request);
    } else if (path instanceof TableEntry entry) {
      return onTable(request, entry);
    }
    throw CommonErrors.NOT_IMPLEMENTED.exception();
  }

  private static TableOperation onTables(TableRequest request) {
    return switch (request.method()) {
      case "GET" -> queryTables(request);
      case "POST" -> createTable(request);
      default -> throw CommonErrors.METHOD_NOT_ALLOWED.exception();
    };
  }

  private static TableOperation queryTables(TableRequest request) {
    checkOptions(request);
    request.level();
    Filter filter = ODataFilterParser.parseForTables(text(request, "$filter"));
    String token = request.query().first("NextTableName");
    String from = token == null ? "" : ContinuationToken.decode(token);
    return new QueryTables(filter, top(request), from);
  }

  private static TableOperation createTable(TableRequest request) {
    MediaTypes.checkBody(request.first("Content-Type"));
    request.level();
    return new CreateTable(TableName.require(EntityParser.tableName(request.body())));
  }

  private static TableOperation onTable(TableRequest request, TableEntry entry) {
    return switch (request.method()) {
      case "GET" -> {
        request.level();
        yield new FindTable(TableName.require(entry.table()));
      }
      case "DELETE" -> new DeleteTable(TableName.require(entry.table()));
      default -> throw CommonErrors.METHOD_NOT_ALLOWED.exception();
    };
  }

  private static TableOperation onEntities(TableRequest request, String table) {
    return switch (request.method()) {
      case "GET" -> query(request, TableName.require(table), Filter.ALL);
      case "POST" -> insert(request, TableName.require(table));
      default -> throw CommonErrors.METHOD_NOT_ALLOWED.exception();
    };
  }

  /** The design guide's own form of a query for one partition (table-rest 2.2, rule 7). */
  private static TableOperation onPartition(TableRequest request, PartitionCollection path) {
    if (!request.method().equals("GET")) {
      throw TableErrors.WRONG_KEY_COUNT
          .exception()
          .with("resource", request.account() + "." + path.table());
    }
    Filter partition =
        new Filter.Comparison("PartitionKey", Operator.EQ, new StringValue(path.partitionKey()));
    return query(request, TableName.require(path.table()), partition);
  }

  private static TableOperation query(TableRequest request, TableName table, Filter partition) {
    checkOptions(request);
    request.level();
    int top = top(request);
    Filter filter = ODataFilterParser.parse(text(request, "$filter"));
    EntityKey from = from(request);
    return new QueryEntities(table, Filter.and(List.of(partition, filter)), top, from);
  }

  private static TableOperation insert(TableRequest request, TableName table) {
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

  private static TableOperation onEntity(TableRequest request, EntityEntry entry) {
    return switch (request.method()) {
      case "GET" -> find(request, TableName.require(entry.table()), entry.key());
      case "PUT" -> {
        TableName table = requireNames(entry);
        EntityBody body = body(request);
        IfMatch condition = request.condition();
        yield write(table, new EntityWrite.Replace(entry.key(), body.properties(), condition));
      }
      case "MERGE", "PATCH" -> {
        TableName table = requireNames(entry);
        EntityBody body = body(request);
        IfMatch condition = request.condition();
        yield write(table, new EntityWrite.Merge(entry.key(), body.properties(), condition));
      }
      case "DELETE" -> {
        TableName table = requireNames(entry);
        yield write(table, new EntityWrite.Delete(entry.key(), deleteCondition(request)));
      }
      default -> throw CommonErrors.METHOD_NOT_ALLOWED.exception();
    };
  }

  private static TableOperation find(TableRequest request, TableName table, EntityKey key) {
    checkOptions(request);
    checkKey(key);
    request.level();
    return new FindEntity(table, key, ODataFilterParser.parse(text(request, "$filter")));
  }

  private static TableName requireNames(EntityEntry entry) {
    TableName table = TableName.require(entry.table());
    checkKey(entry.key());
    return table;
  }

  private static void checkKey(EntityKey key) {
    EntityLimits.checkPathKey(key.partitionKey());
    EntityLimits.checkPathKey(key.rowKey());
  }

  /** Keys in the body are redundant: the URL decides (table-rest 4.4). */
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
      if (top >= 1 && top <= TOP_MAX) {
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
