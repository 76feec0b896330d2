package io.lazuli.server.table.model;

import io.lazuli.server.error.ServiceError;

/** The errors of the table service, with the texts of the live service (table-rest 9.2). */
public final class TableErrors {
  public static final ServiceError TABLE_NOT_FOUND =
      new ServiceError("TableNotFound", 404, "The table specified does not exist.");
  public static final ServiceError TABLE_ALREADY_EXISTS =
      new ServiceError("TableAlreadyExists", 409, "The table specified already exists.");
  public static final ServiceError TABLE_BEING_DELETED =
      new ServiceError(
          "TableBeingDeleted", 409, "The specified table is being deleted. Try operation later.");
  public static final ServiceError ENTITY_ALREADY_EXISTS =
      new ServiceError("EntityAlreadyExists", 409, "The specified entity already exists.");
  public static final ServiceError UPDATE_CONDITION_NOT_SATISFIED =
      new ServiceError(
          "UpdateConditionNotSatisfied",
          412,
          "The update condition specified in the request was not satisfied.");

  public static final ServiceError INVALID_INPUT =
      new ServiceError("InvalidInput", 400, "One of the request inputs is not valid.");
  public static final ServiceError FILTER_SYNTAX =
      new ServiceError("InvalidInput", 400, "Syntax error at position {position} in '{text}'.");
  public static final ServiceError INCOMPATIBLE_TYPES =
      new ServiceError(
          "InvalidInput",
          400,
          "A binary operator with incompatible types was detected. Found operand types '{left}' and"
              + " '{right}' for operator kind '{kind}'.");
  public static final ServiceError INVALID_BODY =
      new ServiceError("InvalidInput", 400, "An error occurred while processing this request.");
  public static final ServiceError INVALID_PATH =
      new ServiceError("InvalidInput", 400, "Bad Request - Error in query syntax.");
  public static final ServiceError INVALID_ETAG =
      new ServiceError(
          "InvalidInput",
          400,
          "The etag value '{value}' specified in one of the request headers is not valid. Please"
              + " make sure only one etag value is specified and is valid.");
  public static final ServiceError WRONG_KEY_COUNT =
      new ServiceError(
          "InvalidInput",
          400,
          "The number of keys specified in the URI does not match number of key properties for the"
              + " resource '{resource}'.");
  public static final ServiceError TOO_MANY_OPERATIONS =
      new ServiceError(
          "InvalidInput",
          400,
          "The batch request operation exceeds the maximum 100 changes per change set.");

  public static final ServiceError OUT_OF_RANGE =
      new ServiceError("OutOfRangeInput", 400, "One of the request inputs is out of range.");
  public static final ServiceError VALUE_OUT_OF_RANGE =
      new ServiceError(
          "OutOfRangeInput", 400, "The '{name}' parameter of value '{value}' is out of range.");
  public static final ServiceError PROPERTIES_NEED_VALUE =
      new ServiceError(
          "PropertiesNeedValue",
          400,
          "The values are not specified for all properties in the entity.");
  public static final ServiceError DUPLICATE_PROPERTIES =
      new ServiceError(
          "DuplicatePropertiesSpecified", 400, "A property is specified more than one time.");
  public static final ServiceError TOO_MANY_PROPERTIES =
      new ServiceError(
          "TooManyProperties",
          400,
          "The entity contains more properties than allowed. Each entity can include up to 252"
              + " properties to store data. Each entity also has 3 system properties.");
  public static final ServiceError PROPERTY_NAME_TOO_LONG =
      new ServiceError(
          "PropertyNameTooLong",
          400,
          "The property name exceeds the maximum allowed length (255).");
  public static final ServiceError PROPERTY_NAME_INVALID =
      new ServiceError("PropertyNameInvalid", 400, "The property name is invalid.");
  public static final ServiceError PROPERTY_VALUE_TOO_LARGE =
      new ServiceError(
          "PropertyValueTooLarge",
          400,
          "The property value exceeds the maximum allowed size (64KB). If the property value is a"
              + " string, it is UTF-16 encoded and the maximum number of characters should be 32K"
              + " or less.");
  public static final ServiceError ENTITY_TOO_LARGE =
      new ServiceError(
          "EntityTooLarge", 400, "The entity is larger than the maximum allowed size (1MB).");

  public static final ServiceError INVALID_DUPLICATE_ROW =
      new ServiceError(
          "InvalidDuplicateRow",
          400,
          "The batch request contains multiple changes with same row key. An entity can appear only"
              + " once in a batch request.");
  public static final ServiceError DIFFERENT_PARTITIONS =
      new ServiceError(
          "CommandsInBatchActOnDifferentPartitions",
          400,
          "All commands in a batch must operate on same entity group.");

  public static final ServiceError ATOM_NOT_SUPPORTED =
      new ServiceError("AtomFormatNotSupported", 415, "Atom format is not supported.");
  public static final ServiceError VERBOSE_NOT_SUPPORTED =
      new ServiceError(
          "JsonVerboseFormatNotSupported", 415, "JSON Verbose format is not supported.");
  public static final ServiceError MEDIA_TYPE_NOT_SUPPORTED =
      new ServiceError(
          "MediaTypeNotSupported", 415, "None of the provided media types are supported");

  public static final ServiceError XMETHOD_NOT_USING_POST =
      new ServiceError(
          "XMethodNotUsingPost",
          400,
          "The request uses X-HTTP-Method with an HTTP verb other than POST.");
  public static final ServiceError XMETHOD_INCORRECT_VALUE =
      new ServiceError("XMethodIncorrectValue", 400, "The specified X-HTTP-Method is invalid.");
  public static final ServiceError XMETHOD_INCORRECT_COUNT =
      new ServiceError("XMethodIncorrectCount", 400, "More than one X-HTTP-Method is specified.");

  private TableErrors() {}
}
