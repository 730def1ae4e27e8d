// Section 8 in Turkish.
import { count, fixed, short } from "../../format";
import type { Source } from "../../state";
import type { TooLarge } from "../outcome";

const n = (value: number) => count("tr", value);
const two = (value: number) => fixed("tr", value, 2);
const lossWent = (loss: number, start: number) =>
  two(loss) === two(start) ? `Kayıp henüz değişmedi (${two(start)}).` : `Kayıp ${two(start)} iken ${two(loss)} oldu.`;
/** The loss that a step size began with. */
const since = ({ before, changed }: TooLarge) =>
  changed ? `adım büyüklüğü değiştiğinde ${short("tr", before)}` : `başta ${two(before)}`;

export const tr = {
  say: "Tablo rastgele sayılarla başlar, kelimeler hakkında hiçbir şey bilmez. Her adımda yan yana gelmiş kelime çiftleri çekilir: [skip-gram](#g-skipgram) bir çiftin iki satırını birbirine *yaklaştırır*, rastgele çekilen beş kelimeninkini *uzaklaştırır*. Kimse tabloya “kedi ile köpek benzer” demez. Hesabı 2. ve 3. bölümün kernelleri yapar: satırları oku, gradyanı satır satır topla, adımı at.",
  formula: [
    "L = −log σ(c·b) − Σₖ log σ(−c·nₖ)",
    "σ: sayıyı 0 ile 1 arasına sıkıştırır. c: kelimenin satırı. b: komşu kelimenin satırı, nₖ: rastgele K = 5 kelimeninki; bunlar ikinci bir tablodan gelir ve o tablo sıfırlarla başlar. Bu yüzden başta çarpımların hepsi 0’dır, L = 6 · ln 2 = 4,16.",
  ] as readonly string[],

  board: "Eğitim",
  source: "Kaynak",
  sources: { pairs: "Kelime çiftleri", tale: "Masal", text: "Senin metnin" } as {
    readonly [kind in Source]: string;
  },
  about: {
    pairs: (pairs: number, words: number) =>
      `${n(words)} kelimeden ${n(pairs)} komşu çift: Zemberek adlı Türkçe dil kitaplığının hangi iki kelimenin yan yana geldiğini sayan modelinden (Apache-2.0). Her adım aralarından yeniden çeker; sık görülen çift sık gelir. Modelde bütün harfler küçük, “ankara” da öyle.`,
    tale: (pairs: number, words: number) =>
      `1. bölümdeki masal: ${n(words)} farklı parça, birbirine en çok üç parça uzakta duran ${n(pairs)} çift.`,
    text: (pairs: number, words: number) =>
      `1. bölümdeki metnin: ${n(words)} farklı parça, birbirine en çok üç parça uzakta duran ${n(pairs)} çift.`,
  },
  few: (words: number) => `Yalnız ${n(words)} farklı parça var. 200’ün altında tablo dili öğrenmez, bu metni ezberler.`,
  cannot: "Eğitmek için yan yana duran iki farklı parça gerek: 1. bölümde biraz daha yaz.",
  loading: "Kelime çiftleri yükleniyor…",
  missing: (why: string) => `Kelime çiftleri gelmedi (${why}). Masalla ya da kendi metninle eğitebilirsin.`,
  changed: "Metin bu eğitimden sonra değişti. Yeniden başlatınca yeni metinle baştan başlar.",

  start: "Eğit",
  resume: "Devam et",
  stop: "Dur",
  one: "Bir adım",
  again: "Aynı sayılarla yeniden",
  restart: "Baştan eğit",
  seed: (seed: number) => `Tohum ${seed}`,
  newSeed: "Yeni tohum",
  rule: "Kural",
  rules: { adagrad: "Adagrad", sgd: "Düz SGD" },
  rate: "Adım büyüklüğü",
  slow: "Yavaş",
  wrong: "Yanlış giden iki deneme",
  collapse: "Düz SGD’nin çöküşü",
  tooLarge: "Fazla büyük adım",
  restore: "Adagrad 0,3’e dön",

  steps: "adım",
  pairs: "çekilen çift",
  stepsPerSecond: "adım/s",
  pairsPerSecond: "çift/s",
  rowsTouched: "satır, bu adımda",
  preparing: "Tablolar hazırlanıyor…",
  waiting: "Aygıt başka bir hesapla meşgul; bitince eğitim sürecek.",
  reached: (step: number, pairs: number) =>
    `${n(pairs)} çift çekildi (${n(step)} adım): bir başlatmanın payı bu kadar, kendiliğinden durdu. “Devam et” sürdürür.`,
  asleep: "Sekme gizliyken bekliyor.",
  onCpu: (pairs: number) => `Bu tarayıcıda GPU yok: adımlar işlemcide atılıyor, her biri ${n(pairs)} çift.`,
  onSoftware: (pairs: number) => `Yazılım adaptörü: her adım ${n(pairs)} çift. Ekran kartında 16.384.`,
  onCard: (pairs: number) => `Her adım ${n(pairs)} çift.`,
  lost: (step: number) =>
    `Cihaz kayboldu: ${n(step)} adımda öğrenilen de gitti, çünkü iki tablo yalnız onun belleğindeydi. Grafikler son okunandan kaldı. Yeniden başlatınca aynı tohumla ilk adımdan başlar.`,
  same: (readings: number) =>
    `Aynı tohum, aynı sayılar: önceki koşuyla ortak ${n(readings)} okumada iki çalıştırmanın bitleri aynı.`,
  differs: (step: number) => `Sayılar önceki çalıştırmadan ayrıldı; ilk fark ${n(step)}. adımda.`,
  ended: (step: number) => `${n(step)}. adımda durdu.`,

  cosines: "Kosinüsler",
  cosinesSay: "eğitilen satırlar arasında",
  control: "kontrol",
  bundled: "hazır tabloda",
  trained: "burada",
  pair: "çift",
  kindOf: "tür",
  related: "bağlı",
  atStart: "başta",
  noCosine: "yok",
  chart: (pair: string, now: string) => `${pair}: kosinüs şimdi ${now}`,
  keySolid: "eğitilen",
  keyDashed: "hazır tablodaki değer",
  gloss: {} as { readonly [word: string]: string },
  controlSay: {
    pairs:
      "Kontrol çiftlerinin kelimeleri birbirine bağlı değil. Onlar da bağlı çiftler kadar yükseliyorsa tablo anlam değil, başka bir şey öğreniyordur.",
    tale: "Kontrol: masalda yan yana gelmeyen, komşuları da en az benzeşen kelimeler. Başka metinlerde yakın olabilirler; bu masal onları bağlamıyor. Onlar da bağlı çiftler kadar yükseliyorsa tablo bir şey ayırt etmiyordur.",
    text: "Kontrol: senin metninde yan yana gelmeyen, komşuları da en az benzeşen kelimeler. Başka metinlerde yakın olabilirler (hazır tablodaki değere bak); bu metin onları bağlamıyor. Onlar da bağlı çiftler kadar yükseliyorsa tablo bir şey ayırt etmiyordur.",
  } as { readonly [kind in Source]: string },

  outcome: {
    none: "Henüz adım yok: satırlar, tohumdan çıkan rastgele sayılar.",
    early: (related: number, above: string, loss: number, start: number) =>
      `Çiftler daha ayrılmadı: bağlı olanların kosinüsü ortalama ${two(related)}${above}. ${lossWent(loss, start)}`,
    controlAbove: (pair: string, control: number) => `, kontrollerden ${pair} ise ${two(control)}`,
    apart: (related: number, pair: string, control: number, loss: number, start: number, few: boolean) =>
      `Bağlı çiftler ortalama *${two(related)}*, en yüksek kontrol (${pair}) *${two(control)}*: ${few ? "tablo bu metinde yan yana geleni gelmeyenden ayırıyor, yani metni ezberledi" : "tablo ayırt ediyor"}. ${lossWent(loss, start)}`,
    controlRose: (related: number, pair: string, control: number) =>
      `Bağlı çiftler ortalama ${two(related)}, ama kontrol olan ${pair} de *${two(control)}*: ${control > related ? "onlardan bile yukarıda" : "aradaki fark az"}. Buradan “anlamı öğrendi” sonucu çıkmaz.`,
    noControl: (related: number, loss: number, start: number) =>
      `Kosinüs ${two(related)}. ${lossWent(loss, start)} Bu kadar az parçada kontrol çifti yok; yükselen bir kosinüs tek başına hiçbir şey göstermez.`,
    collapsed: (least: number, loss: number, start: number, fell: boolean) =>
      `${fell ? `Kayıp ${two(start)} iken ${two(loss)} oldu, yani “iyileşti”; ama` : `Kayıp ${two(loss)}; ve`} izlenen kosinüslerin *en düşüğü bile ${two(least)}*. Bütün satırlar aynı yöne bakıyor: tablo hiçbir kelimeyi ötekinden ayırmıyor. Yalnız kedi ~ köpek’e bakan bunu başarı sanırdı; çöküşü gösteren, kontroller.`,
    collapsedWhy:
      "Düz [SGD](#g-sgd) her satıra aynı boyda adım attırır. Sık geçen satırlar her adımda yüzlerce gradyanı toplar, büyür ve ötekileri peşinden sürükler. [Adagrad](#g-adagrad)’da her satırın adımı, o satırda birikmiş gradyana bölünür: çok geçen küçük, az geçen büyük adım atar.",
    tooLarge: {
      rising: (one: TooLarge) =>
        `Adım fazla büyük: kayıp ${since(one)} iken ${n(one.at)}. adımda *${short("tr", one.peak)}* oldu${one.loss === one.peak ? "" : `, şimdi ${short("tr", one.loss)}`}. Her adım çukurun dibini aşıp karşı yamaca, daha yükseğe çıkıyor.`,
      falling: (one: TooLarge, start: number) =>
        `Adım fazla büyüktü: kayıp ${since(one)} iken ${n(one.at)}. adımda *${short("tr", one.peak)}* değerine sıçradı. Şimdi ${short("tr", one.loss)}; düşüyor, ama eğitimsiz tablonunkinden (${two(start)}) hâlâ yüksek.`,
      recovering: (one: TooLarge, start: number) =>
        `Adım büyüklüğü değiştiğinde kayıp ${short("tr", one.before)} idi, şimdi *${short("tr", one.loss)}*: düşüyor, ama eğitimsiz tablonunkinden (${two(start)}) hâlâ yüksek.`,
    },
    broken: (step: number, loss: string, frozen: boolean) =>
      `Sayılar taştı: ${n(step)}. adımda kayıp ya da izlenen bir satır sayı olmaktan çıktı (kayıp ${loss}). Değerler adımdan adıma katlanıp f32’nin sınırını, 3,4 · 10³⁸’i geçti; Inf − Inf de \`NaN\` eder. ${frozen ? "Kosinüsler yine de sayı, çünkü paket gradyandaki NaN ve Inf’i toplamaz: o satırlar son hallerinde dondu. " : ""}Bu tablo düzelmez, baştan başlamalı.`,
  },

  loss: "Kayıp",
  lossSay: "çift başına",
  lossStart: (start: number) => `başlangıç ${two(start)}`,
  lossLabel: (now: string, start: string) => `Kayıp ${now}; başlangıç çizgisi ${start}`,
  logScale: "ölçek logaritmik",
  xPairs: "çekilen çift",

  touched: "Bir adımda dokunulan satırlar",
  touchedSay: (rows: number, vocabulary: number, positions: number, words: number) =>
    `Adımda ${n(positions)} satır istendi (çift başına bir komşu ve rastgele beş kelime); bunlar ${n(vocabulary)} satırın yalnız *${n(rows)}* tanesine düştü. Kaynakta ${n(words)} kelime var. Gradyan da adım da yalnız bu satırlara yazılır.`,
  touchedTop: (piece: string, hits: number, once: number) =>
    `En çok “${piece}”: ${n(hits)} kez. Yalnız bir kez gelen: ${n(once)} satır. 6. bölümdeki Zipf yasası burada da görülür.`,
  touchedLabel: (rows: number, most: number) =>
    `Satır başına geçme sayısı, çoktan aza: ${n(rows)} satır, en çok ${n(most)}`,
  rank: "sıra",
  hits: "geçme",
  noneYet: "İlk adımdan sonra görünür.",

  near: "En yakın beş",
  nearOf: "Kelime",
  nearBefore: "Başta",
  nearNow: (step: number) => `${n(step)}. adımda`,
  word: "kelime",
  neighbour: "komşu",
  cosine: "kosinüs",
  when: "ne zaman",

  keep: "Eğittiğin tablo",
  keepSay: (words: number, width: number) =>
    `${n(words)} kelimenin ${width} sütunlu satırları. CSV ve JSON hepsini taşır.`,
  show: "2. bölümde bu tabloyu göster",
  showing: (steps: number) =>
    `2. bölüm şimdi bu tablonun ${n(steps)}. adımdaki halini gösteriyor: satırlar, komşular, f16. `,
  goThere: "2. bölüme git",
  putBack: "Hazır tabloyu geri koy",
  needVectors: "Hazır vektörler yüklenmeden 2. bölüm tablo gösteremez.",
  piece: "parça",
  id: "id",
  norm: "norm",

  ask: "Kayıp düşüyor, kedi ~ köpek yükseliyor. Öğrendiğini söylemek için daha neye bakmalı?",
  answer:
    "Yükselmemesi gerekenlere. Düz SGD’yle kayıp da düşer, kedi ~ köpek de 1’e çıkar; kedi ~ ankara da çıkar. Bir ölçünün anlamı, başka türlü de çıkabilecek olmasından gelir.",
};

export type TrainStrings = typeof tr;
