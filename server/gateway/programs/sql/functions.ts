// Functions that only compute or look, by database. What is not listed may do anything: a function that somebody has
// defined is called like any other. Of PostgreSQL a test compares the list with the database's own catalogue. Left out on
// purpose: what writes (`nextval`, `lo_put`), ends or blocks others (`pg_terminate_backend`, `get_lock`), runs a text
// (`query_to_xml`, `ts_stat`), reaches files or the network (`pg_read_file`, `load_file`, `dblink`), or waits (`sleep`).
import type { SqlDialect } from './tokens.ts'

const setOf = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').trim().split(/\s+/))

/** In the catalogue of PostgreSQL they are volatile, because their answers change; they change nothing. */
export const volatileReads = setOf(`
  clock_timestamp timeofday random random_normal gen_random_uuid uuidv4 uuidv7 currval lastval
  pg_relation_size pg_total_relation_size pg_table_size pg_indexes_size pg_database_size pg_tablespace_size
  pg_is_in_recovery pg_blocking_pids pg_safe_snapshot_blocking_pids pg_lock_status pg_partition_tree
  pg_partition_ancestors pg_sequence_last_value pg_current_wal_lsn pg_last_wal_receive_lsn pg_last_wal_replay_lsn
  pg_last_xact_replay_timestamp`)

/** Stable or immutable in the catalogue of PostgreSQL. */
export const stableReads = setOf(`
  abs acos acosd acosh age any_value area array_agg array_append array_cat array_dims array_fill array_length array_lower
  array_ndims array_position array_positions array_prepend array_remove array_replace array_reverse array_sort
  array_to_json array_to_string array_upper ascii asin asind asinh atan atan2 atan2d atand atanh avg bit_and bit_count
  bit_length bit_or bit_xor bool_and bool_or box broadcast btrim cardinality casefold cbrt ceil ceiling center char_length
  character_length chr circle col_description concat concat_ws convert convert_from convert_to corr cos cosd cosh cot cotd
  count covar_pop covar_samp crc32 crc32c cume_dist current_database current_schema current_schemas current_setting date
  date_add date_bin date_part date_subtract date_trunc datemultirange daterange decode degrees dense_rank diagonal
  diameter div encode enum_first enum_last enum_range erf erfc every exp extract factorial family first_value float4
  float8 floor format format_type gamma gcd generate_series generate_subscripts get_bit get_byte getdatabaseencoding
  has_any_column_privilege has_column_privilege has_database_privilege has_function_privilege has_language_privilege
  has_schema_privilege has_sequence_privilege has_server_privilege has_table_privilege has_tablespace_privilege
  has_type_privilege height host hostmask inet_client_addr inet_client_port inet_merge inet_same_family inet_server_addr
  inet_server_port initcap int2 int4 int4multirange int4range int8 int8multirange int8range interval is_normalized
  isclosed isempty isfinite isopen json_agg json_agg_strict json_array_elements json_array_elements_text
  json_array_length json_build_array json_build_object json_each json_each_text json_extract_path
  json_extract_path_text json_object json_object_agg json_object_agg_strict json_object_agg_unique json_object_keys
  json_populate_record json_populate_recordset json_strip_nulls json_to_record json_to_recordset json_typeof jsonb_agg
  jsonb_agg_strict jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
  jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object
  jsonb_object_agg jsonb_object_agg_strict jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz jsonb_path_match
  jsonb_path_match_tz jsonb_path_query jsonb_path_query_array jsonb_path_query_array_tz jsonb_path_query_first
  jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset jsonb_pretty jsonb_set
  jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof justify_days justify_hours
  justify_interval lag last_value lcm lead left length lgamma line ln log log10 lower lower_inc lower_inf lpad lseg ltrim
  make_date make_interval make_time make_timestamp make_timestamptz masklen max md5 min min_scale mod mode multirange
  netmask network normalize now npoints nth_value ntile num_nonnulls num_nulls numeric nummultirange numnode numrange
  obj_description octet_length overlaps overlay parse_ident path percent_rank percentile_cont percentile_disc
  pg_backend_pid pg_basetype pg_char_to_encoding pg_client_encoding pg_collation_for pg_collation_is_visible
  pg_column_compression pg_column_size pg_conf_load_time pg_conversion_is_visible pg_current_snapshot
  pg_current_xact_id_if_assigned pg_describe_object pg_encoding_max_length pg_encoding_to_char pg_filenode_relation
  pg_function_is_visible pg_get_constraintdef pg_get_expr pg_get_function_arguments pg_get_function_identity_arguments
  pg_get_function_result pg_get_functiondef pg_get_indexdef pg_get_keywords pg_get_object_address
  pg_get_partition_constraintdef pg_get_partkeydef pg_get_ruledef pg_get_serial_sequence pg_get_statisticsobjdef
  pg_get_statisticsobjdef_expressions pg_get_triggerdef pg_get_userbyid pg_get_viewdef pg_has_role pg_identify_object
  pg_index_column_has_property pg_index_has_property pg_indexam_has_property pg_input_error_info pg_input_is_valid
  pg_is_other_temp_schema pg_lsn pg_my_temp_schema pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible
  pg_options_to_table pg_partition_root pg_postmaster_start_time pg_relation_filenode pg_relation_filepath
  pg_relation_is_updatable pg_sequence_parameters pg_settings_get_flags pg_show_all_settings pg_size_bytes
  pg_size_pretty pg_snapshot_xip pg_snapshot_xmax pg_snapshot_xmin pg_stat_get_activity pg_stat_get_live_tuples
  pg_stat_get_dead_tuples pg_stat_get_numscans pg_stat_get_tuples_deleted pg_stat_get_tuples_fetched
  pg_stat_get_tuples_inserted pg_stat_get_tuples_returned pg_stat_get_tuples_updated pg_statistics_obj_is_visible
  pg_table_is_visible pg_tablespace_databases pg_tablespace_location pg_timezone_names pg_trigger_depth
  pg_ts_config_is_visible pg_type_is_visible pg_typeof pg_wal_lsn_diff phraseto_tsquery pi plainto_tsquery point polygon
  position pow power querytree quote_ident quote_literal quote_nullable radians radius range_agg range_intersect_agg
  range_merge rank regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace
  regexp_split_to_array regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_count regr_intercept regr_r2
  regr_slope regr_sxx regr_sxy regr_syy repeat replace reverse right round row_number row_security_active row_to_json
  rpad rtrim scale set_bit set_byte set_masklen setweight sha224 sha256 sha384 sha512 shobj_description sign
  similar_escape similar_to_escape sin sind sinh slope split_part sqrt starts_with statement_timestamp stddev stddev_pop
  stddev_samp string_agg string_to_array string_to_table strip strpos substr substring sum table_to_xml tan tand tanh
  text time timestamp timestamptz timetz timezone to_ascii to_bin to_char to_date to_hex to_json to_jsonb to_number
  to_oct to_regclass to_regnamespace to_regproc to_regrole to_regtype to_timestamp to_tsquery to_tsvector
  transaction_timestamp translate trim_array trim_scale trunc ts_delete ts_filter ts_headline ts_rank ts_rank_cd
  tsmultirange tsquery_phrase tsrange tstzmultirange tstzrange tsvector_to_array unistr unnest upper upper_inc upper_inf
  uuid_extract_timestamp uuid_extract_version var_pop var_samp varchar variance version websearch_to_tsquery width
  like_escape ts_lexize ts_parse ts_token_type json_to_tsvector jsonb_to_tsvector name bpchar bool
  width_bucket xml_is_well_formed xmlagg xmlcomment xmlexists xmltext xpath xpath_exists`)

/** Operators of PostgreSQL itself, of pgvector and of pg_trgm. Anybody may define more, with any effect. */
export const operators = setOf(`
  !! !~ !~* !~~ !~~* # ## #- #> #>> % & && &< &<| &> * *< *<= *<> *= *> *>= + - -> ->> -|- / < <-> << <<= <<| <= <> <@
  <^ = > >= >> >>= >^ ? ?# ?& ?- ?-| ?| ?|| @ @-@ @> @? @@ @@@ ^ ^@ | |&> |/ |>> || ||/ ~ ~* ~<=~ ~<~ ~= ~>=~ ~>~ ~~
  ~~* != <=> <#> <+> <% %> <<% %>> <<-> <->> <<<-> <->>>`)

const sqlite = setOf(`
  abs avg bm25 cast ceil ceiling changes char coalesce generate_series concat concat_ws count cume_dist date datetime degrees dense_rank exp
  first_value floor format glob group_concat hex highlight ifnull iif if instr json json_array json_array_length json_each
  json_error_position json_extract json_group_array json_group_object json_insert json_object json_patch json_pretty
  json_quote json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_array jsonb_each jsonb_extract
  jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set
  jsonb_tree julianday lag last_insert_rowid last_value lead length like likelihood likely ln log log10 log2 lower ltrim
  matchinfo max median min mod nth_value ntile nullif octet_length offsets percent_rank percentile percentile_cont
  percentile_disc pi pow power printf quote radians random randomblob rank replace round row_number rtrim sign snippet
  soundex sqlite_compileoption_get sqlite_compileoption_used sqlite_source_id sqlite_version sqrt strftime string_agg
  substr substring sum time timediff total total_changes trim trunc typeof unhex unicode unistr unistr_quote unixepoch
  unlikely upper zeroblob acos acosh asin asinh atan atan2 atanh cos cosh sin sinh tan tanh
  pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info pragma_index_xinfo
  pragma_foreign_key_list pragma_database_list pragma_collation_list pragma_function_list pragma_module_list
  pragma_pragma_list pragma_compile_options`)

const mysql = setOf(`
  abs acos adddate addtime aes_decrypt aes_encrypt any_value ascii asin atan atan2 avg bin bin_to_uuid bit_and bit_count
  bit_length bit_or bit_xor cast ceil ceiling char char_length character_length charset chr coalesce coercibility collation
  column_add column_check column_create column_delete column_exists column_get column_json column_list contains
  disjoint equals intersects is_free_lock is_used_lock mbrcontains mbrdisjoint mbrequal mbrintersects mbrtouches
  mbrwithin overlaps password rownum st_buffer st_centroid st_crosses st_difference st_dimension st_disjoint
  st_endpoint st_envelope st_equals st_exteriorring st_geometrytype st_geomfromwkb st_isclosed st_isempty st_isring
  st_issimple st_length st_numgeometries st_numinteriorrings st_numpoints st_overlaps st_perimeter st_pointn st_relate
  st_simplify st_startpoint st_touches st_transform st_union st_asbinary st_astext st_aswkb st_aswkt
  concat concat_ws connection_id conv convert convert_tz cos cot count crc32 crc32c cume_dist curdate current_date
  current_role current_time current_timestamp current_user curtime database date date_add date_format date_sub datediff
  day dayname dayofmonth dayofweek dayofyear default degrees dense_rank elt exp export_set extract extractvalue field
  find_in_set first_value floor format format_bytes format_pico_time found_rows from_base64 from_days from_unixtime
  geometrytype geomfromtext get_format greatest group_concat grouping hex hour if ifnull inet6_aton inet6_ntoa inet_aton
  inet_ntoa insert instr interval is_ipv4 is_ipv6 is_uuid isnull json_array json_array_append json_array_insert
  json_arrayagg json_compact json_contains json_contains_path json_depth json_detailed json_equals json_exists
  json_extract json_insert json_keys json_length json_loose json_merge json_merge_patch json_merge_preserve
  json_normalize json_object json_objectagg json_overlaps json_pretty json_query json_quote json_remove json_replace
  json_schema_valid json_search json_set json_storage_size json_table json_type json_unquote json_valid json_value lag
  last_day last_value lcase lead least left length linestring ln localtime localtimestamp locate log log10 log2 lower lpad
  ltrim make_set makedate maketime max md5 median microsecond mid min minute mod month monthname name_const nth_value ntile
  nullif nvl nvl2 now oct octet_length ord percent_rank percentile_cont percentile_disc period_add period_diff pi point
  polygon position pow power quarter quote radians rand random_bytes rank regexp_instr regexp_like regexp_replace
  regexp_substr repeat replace reverse right round row_count row_number rpad rtrim schema sec_to_time second session_user
  sformat sha sha1 sha2 sign sin soundex space sqrt st_area st_asgeojson st_astext st_contains st_distance
  st_distance_sphere st_geomfromtext st_intersects st_isvalid st_latitude st_longitude st_srid st_within st_x st_y std
  stddev stddev_pop stddev_samp str_to_date strcmp subdate substr substring substring_index subtime sum sysdate system_user
  tan time time_format time_to_sec timediff timestamp timestampadd timestampdiff to_base64 to_char to_days to_number
  to_seconds trim truncate ucase uncompress uncompressed_length compress unhex unix_timestamp updatexml upper user utc_date
  utc_time utc_timestamp uuid uuid_short uuid_to_bin values var_pop var_samp variance version week weekday weekofyear
  weight_string year yearweek`)

const tsql = setOf(`
  abs acos app_name approx_count_distinct ascii asin atan atn2 avg binary_checksum cast ceiling char charindex checksum
  checksum_agg choose coalesce contains freetext dateadd col_length col_name collationproperty columnproperty compress concat concat_ws
  connectionproperty convert cos cot count count_big cume_dist current_date current_request_id current_timezone
  current_timezone_id databasepropertyex datalength date_bucket datediff datediff_big datefromparts datename datepart
  datetime2fromparts datetimefromparts datetimeoffsetfromparts datetrunc day db_id db_name decompress degrees dense_rank
  difference edge_id_from_parts eomonth error_line error_message error_number error_procedure error_severity error_state
  exp file_id file_name filegroup_id filegroup_name first_value floor format formatmessage fulltextcatalogproperty
  generate_series get_bit getansinull getdate getutcdate greatest grouping grouping_id has_dbaccess has_perms_by_name
  hashbytes host_id host_name ident_current ident_incr ident_seed iif index_col indexproperty is_member is_rolemember
  is_srvrolemember isdate isjson isnull isnumeric json_array json_arrayagg json_modify json_object json_objectagg
  json_path_exists json_query json_value lag last_value lead least left len log log10 lower ltrim max min month nchar newid
  ntile nullif object_definition object_id object_name object_schema_name objectproperty objectpropertyex openjson
  original_login parse parsename patindex percent_rank percentile_cont percentile_disc permissions pi power quotename
  radians rand rank replace replicate reverse right round row_number rowcount_big rtrim schema_id schema_name
  scope_identity serverproperty session_context sessionproperty sign sin smalldatetimefromparts soundex space sql_variant_property
  sqrt square stats_date stdev stdevp str string_agg string_escape string_split stuff substring sum suser_id suser_name
  suser_sid suser_sname switchoffset sysdatetime sysdatetimeoffset sysutcdatetime tan textptr textvalid timefromparts
  todatetimeoffset translate trim try_cast try_convert try_parse type_id type_name typeproperty unicode upper user_id
  user_name var varp xact_state year`)

/** Functions that only read, by their names in lower case. */
export const readingFunctions: Readonly<Record<SqlDialect, ReadonlySet<string>>> = {
  postgresql: new Set([...stableReads, ...volatileReads]),
  sqlite,
  mysql,
  tsql,
}
